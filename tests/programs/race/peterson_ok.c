// Peterson's lock with sequentially consistent atomics protects a plain counter.
// STDOUT: 20
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn;
static int counter;

static void *worker(void *argument) {
    int self = *(int *)argument, other = 1 - self;
    for (int i = 0; i < 10; i++) {
        atomic_store(&wants[self], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other) sched_yield();
        counter++;
        atomic_store(&wants[self], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", counter);
    return 0;
}
