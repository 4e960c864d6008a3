// Two threads write one byte of a word.
#include <pthread.h>
#include <stdio.h>

static volatile unsigned char flags[8];

static void *worker(void *argument) {
    flags[3] = 1; // PREVIOUS: write 1
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    flags[2] = 2;
    flags[3] = 2; // EXPECT: data race write 1
    pthread_join(thread, NULL);
    printf("%d\n", flags[2]);
    return 0;
}
