// Blocks of odd sizes that are freed and handed out again, to the same and to other threads.
// SANITIZE: thread
// STDOUT: 256
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *kept;
static int total;

static void *worker(void *unused) {
    for (int round = 0; round < 64; round++) {
        pthread_mutex_lock(&lock);
        size_t n_bytes = 1 + (size_t)(round * 7 % 41);
        char *block = malloc(n_bytes);
        memset(block, 1, n_bytes);
        block = realloc(block, 2 * n_bytes);
        memset(block + n_bytes, 1, n_bytes);
        total += block[2 * n_bytes - 1] + block[0];
        free(kept);
        kept = block;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    free(kept);
    printf("%d\n", total);
}
