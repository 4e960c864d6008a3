// Threads allocate, write and free blocks of one size: recycled memory carries no old history.
// STDOUT: 80
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *argument) {
    int *rounds = argument;
    for (int i = 0; i < 20; i++) {
        char *block = malloc(48);
        if (!block) return NULL;
        memset(block, i, 48);
        *rounds += block[47] == i;
        free(block);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    int rounds[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&threads[i], NULL, worker, &rounds[i])) return 1;
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%d\n", rounds[0] + rounds[1] + rounds[2] + rounds[3]);
    return 0;
}
