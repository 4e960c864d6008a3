// A thread writes a local variable of main while main reads it.
#include <pthread.h>
#include <stdio.h>

static void *worker(void *argument) {
    volatile int *result = argument;
    *result = 42; // PREVIOUS: write 4
    return NULL;
}

int main(void) {
    volatile int result = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, (void *)&result)) return 1; // THREAD-CREATED
    int early = result; // EXPECT: data race read 4
    pthread_join(thread, NULL);
    printf("%d\n", early >= 0);
    return 0;
}
