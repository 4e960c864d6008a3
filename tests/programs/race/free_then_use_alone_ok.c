// One thread frees and allocates for long, then others come: what it freed is in use again.
// SANITIZE: thread
// STDOUT: 400000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 64
static char *blocks[BLOCKS];

static void *worker(void *block) {
    memset(block, 1, 24);
    return NULL;
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < 200000; i++) {
        char **place = &blocks[i * 7 % BLOCKS];
        free(*place);
        *place = calloc(1, (size_t)(24 + i % 5));
        (*place)[23] = 2;
        sum += (*place)[23];
    }
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, worker, blocks[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
    printf("%ld\n", sum);
}
