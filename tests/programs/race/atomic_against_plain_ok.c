// The twin of atomic_against_plain: both are atomic; plain only where nobody else is.
// STDOUT: 6
#include <pthread.h>
#include <stdio.h>

static int counter = 4;

static void *worker(void *argument) {
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
    return 0;
}
