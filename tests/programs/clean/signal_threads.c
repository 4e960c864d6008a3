// Signals for one thread, masks of one thread, and a thread that waits for signals.
// STDOUT: nobody has that thread 1
// STDOUT: the worker handled it 1
// STDOUT: blocked here only 1
// STDOUT: the waiter took SIGUSR2 1
// STDOUT: nothing came 1
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_t handler_ran_in;
static volatile sig_atomic_t handled;
static atomic_int masked;

static void on_signal(int number) {
    (void)number;
    handler_ran_in = pthread_self();
    handled = 1;
}

static void *work(void *argument) {
    while (!handled) usleep(10);
    return argument;
}

static void *mask_and_leave(void *argument) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    atomic_store(&masked, 1);
    return argument;
}

static void *wait_for_signal(void *argument) {
    sigset_t set;
    int *number = argument;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigwait(&set, number);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int number = 0;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    printf("nobody has that thread %d\n", pthread_kill(thread, 99) == EINVAL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    printf("the worker handled it %d\n", pthread_equal(handler_ran_in, thread) != 0);

    pthread_create(&thread, NULL, mask_and_leave, NULL);
    pthread_join(thread, NULL);
    handled = 0;
    raise(SIGUSR1);
    printf("blocked here only %d\n", masked && handled);

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, wait_for_signal, &number);
    usleep(1000);
    kill(getpid(), SIGUSR2);
    pthread_join(thread, NULL);
    printf("the waiter took SIGUSR2 %d\n", number == SIGUSR2);

    struct timespec soon = {3, 0};
    printf("nothing came %d\n", sigtimedwait(&set, NULL, &soon) == -1 && errno == EAGAIN);
    return 0;
}
