// A signal for the process is handled by main, whoever sends it: its handler races with the sender.
// NATIVE: skip where the kernel delivers it and what is then seen depends on the moment
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile int shared;

static void on_signal(int number) {
    (void)number;
    shared = 1; // EXPECT: data race write 4
}

static void *work(void *unused) {
    shared = 2; // PREVIOUS: write 4
    kill(getpid(), SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
