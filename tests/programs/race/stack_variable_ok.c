// The twin of stack_variable: the local is read after the join, and the result comes back too.
// STDOUT: 42 1
#include <pthread.h>
#include <stdio.h>

static void *worker(void *argument) {
    volatile int *result = argument;
    *result = 42;
    pthread_exit(argument);
}

int main(void) {
    volatile int result = 0;
    pthread_t thread;
    void *returned = NULL;
    if (pthread_create(&thread, NULL, worker, (void *)&result)) return 1;
    pthread_join(thread, &returned);
    printf("%d %d\n", result, returned == (void *)&result);
    return 0;
}
