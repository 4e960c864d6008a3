// The program takes for granted that a signal has come when its sender goes on.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

static _Atomic int started, handled, sent;

static void on_signal(int number) {
    (void)number;
    handled = 1;
}

static void *work(void *argument) {
    started = 1;
    while (!sent)
        sched_yield();
#ifdef FIXED
    while (!handled)
        sched_yield();
#endif
    assert(handled);
    return argument;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, work, NULL);
    while (!started)
        sched_yield();
    pthread_kill(thread, SIGUSR1);
    sent = 1;
    pthread_join(thread, NULL);
    return 0;
}
