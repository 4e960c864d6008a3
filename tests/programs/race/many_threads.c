// Twenty threads, all writing one word: one kind of pair, however many meet.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 20 };

static volatile int last;

static void *worker(void *argument) {
    last = *(int *)argument; // EXPECT: data race write 4
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("%d\n", last >= 0);
    return 0;
}
