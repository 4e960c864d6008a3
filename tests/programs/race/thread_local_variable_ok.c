// The twin of thread_local_variable: each thread starts from the initial value.
// STDOUT: 11 12 13 10
#include <pthread.h>
#include <stdio.h>

static _Thread_local int local = 10;
static _Thread_local int zero[100];

static void *worker(void *argument) {
    int *result = argument;
    local += *result;
    zero[99] += local;
    *result = zero[99];
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int results[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, worker, &results[i])) return 1;
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d %d %d %d\n", results[0], results[1], results[2], local);
    return 0;
}
