// What was done before a handler was installed happens before it runs, in whichever thread.
// STDOUT: 42
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static int message;
static atomic_int handled;

static void on_signal(int number) {
    int seen = message + number - SIGUSR1;
    atomic_store_explicit(&handled, seen, memory_order_relaxed);
}

static void *work(void *unused) {
    while (!atomic_load_explicit(&handled, memory_order_relaxed)) usleep(10);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {0};
    pthread_create(&thread, NULL, work, NULL);
    message = 42;
    action.sa_handler = on_signal;
    sigaction(SIGUSR1, &action, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    printf("%d\n", handled);
    return 0;
}
