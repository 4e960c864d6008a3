// A hand-made "once": the flag is checked and set without any order.
#include <pthread.h>
#include <stdio.h>

static volatile int initialised;

static void *worker(void *argument) {
    if (!initialised) { // PREVIOUS: read 4
        initialised = 1; // EXPECT: data race write 4 // PREVIOUS: write 4
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", initialised);
    return 0;
}
