// The twin of same_byte: eight threads, each with its own byte of one word.
// STDOUT: 1 2 3 4 5 6 7 8
#include <pthread.h>
#include <stdio.h>

static volatile unsigned char bytes[8];

static void *worker(void *argument) {
    volatile unsigned char *mine = argument;
    *mine = (unsigned char)(mine - bytes + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        if (pthread_create(&threads[i], NULL, worker, (void *)&bytes[i])) return 1;
    }
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 8; i++) printf("%d%c", bytes[i], i < 7 ? ' ' : '\n');
    return 0;
}
