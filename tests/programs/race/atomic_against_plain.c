// One thread increments atomically, the other one stores plainly.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int counter;

static void *worker(void *argument) {
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); // PREVIOUS: atomic write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    *(volatile int *)&counter = 5; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    printf("%d\n", counter > 0);
    return 0;
}
