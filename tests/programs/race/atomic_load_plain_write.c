// An atomic load does not protect against a plain store.
#include <pthread.h>
#include <stdio.h>

static long state;

static void *worker(void *argument) {
    *(volatile long *)&state = 1; // PREVIOUS: write 8
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    long seen = __atomic_load_n(&state, __ATOMIC_ACQUIRE); // EXPECT: data race atomic read 8
    pthread_join(thread, NULL);
    printf("%d\n", seen < 2);
    return 0;
}
