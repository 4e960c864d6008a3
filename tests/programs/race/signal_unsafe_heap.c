// A handler allocates and frees: the thread that it interrupts may be inside the allocator.
// NATIVE: false-alarm what the report itself does to errno is taken for the handler's doing there
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int handled;

static void on_signal(int number) {
    char *volatile block = malloc(number); // EXPECT: signal-unsafe call inside of a signal
    block[0] = 1;
    free(block); // EXPECT: signal-unsafe call inside of a signal
    handled = 1;
}

static void *work(void *unused) {
    while (!handled) {
        char *volatile block = malloc(32);
        free(block);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
