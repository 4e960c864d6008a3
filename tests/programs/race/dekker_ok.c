// Dekker's handshake: with sequential consistency at most one side enters.
// STDOUT: fine
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flags[2];
static int entered;

static void *worker(void *argument) {
    int self = *(int *)argument;
    atomic_store(&flags[self], 1);
    if (!atomic_load(&flags[1 - self])) entered++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    puts(entered <= 1 ? "fine" : "both entered");
    return 0;
}
