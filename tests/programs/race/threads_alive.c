// 1,100 threads meet at a barrier; the first and the last then write to one place.
// NATIVE: skip with so many threads it sees the race in some runs only
// ONLY: -O1 many threads take their time
// SEEDS: few a thousand threads
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 1100 };

static pthread_barrier_t all;
static volatile int place;

static void *work(void *argument) {
    long number = (long)argument;
    pthread_barrier_wait(&all);
    if (number == 0 || number == THREADS - 1) {
        place = 1; // EXPECT: data race write 4
    }
    return NULL;
}

int main(void) {
    static pthread_t threads[THREADS];
    pthread_barrier_init(&all, NULL, THREADS);
    for (long i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("%d\n", place);
    return 0;
}
