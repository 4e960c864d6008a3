// A handler leaves another errno behind, in the thread that it has interrupted.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_int handled;

static void on_signal(int number) { // EXPECT: signal handler spoils errno
    if (close(-number) != 0) handled = 1;
}

static void *work(void *unused) {
    while (!handled) usleep(10);
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
