/* What is run once before a process is saved, so that it is known which pages a run needs. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *fill(void *block) {
    for (int i = 0; i < 100; i++) ((int *)block)[i] = i;
    return block;
}

int main(void) {
    pthread_t thread;
    void *block = malloc(400);
    pthread_create(&thread, 0, fill, block);
    pthread_join(thread, 0);
    printf("%d\n", ((int *)block)[99]);
    free(block);
    return 0;
}
