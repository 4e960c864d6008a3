// Threads that do almost nothing, eight at a time: creation, start, end and join.
// SIZE: default 4000, smoke 100
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOGETHER = 8 };

static void *square(void *argument) {
    long *number = argument;
    *number *= *number;
    return number;
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 4000;
    unsigned long sum = 0;
    for (long round = 0; round < rounds; round++) {
        pthread_t threads[TOGETHER];
        long numbers[TOGETHER];
        for (int i = 0; i < TOGETHER; i++) {
            numbers[i] = round + i;
            if (pthread_create(&threads[i], NULL, square, &numbers[i])) return 1;
        }
        for (int i = 0; i < TOGETHER; i++) {
            void *result;
            if (pthread_join(threads[i], &result)) return 1;
            sum += (unsigned long)*(long *)result;
        }
    }
    printf("thread_spawn %ld %lu\n", rounds, sum);
    return 0;
}
