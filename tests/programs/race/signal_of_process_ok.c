// A signal for the process goes to main, unless main blocks it: then to another thread, or nobody.
// STDOUT: kill: main
// STDOUT: sigqueue: main 7
// STDOUT: alarm: main
// STDOUT: timer: main
// STDOUT: main blocks: worker
// STDOUT: raise: worker
// STDOUT: all block: nobody, then main
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_t main_thread;
static atomic_int in_main, n_handled, value;

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    in_main = pthread_equal(pthread_self(), main_thread);
    value = info->si_value.sival_int;
    n_handled++;
}

static const char *who(void) {
    struct timespec moment = {0, 1000000};
    for (int i = 0; i < 20 && !n_handled; i++) nanosleep(&moment, NULL);
    const char *found = n_handled != 1 ? "nobody" : in_main ? "main" : "worker";
    n_handled = 0;
    return found;
}

static void block(int how) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(how, &one, NULL);
}

static void *send_all(void *unused) {
    kill(getpid(), SIGUSR1);
    printf("kill: %s\n", who());
    sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 7});
    const char *found = who();
    printf("sigqueue: %s %d\n", found, (int)value);
    ualarm(1000, 0);
    printf("alarm: %s\n", who());
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    printf("timer: %s\n", who());
    timer_delete(timer);
    return unused;
}

static void *send_blocked(void *unused) {
    block(SIG_UNBLOCK);
    kill(getpid(), SIGUSR1);
    printf("main blocks: %s\n", who());
    raise(SIGUSR1);
    printf("raise: %s\n", who());
    block(SIG_BLOCK);
    kill(getpid(), SIGUSR1);
    printf("all block: %s, then ", who());
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    main_thread = pthread_self();
    pthread_t thread;
    pthread_create(&thread, NULL, send_all, NULL);
    pthread_join(thread, NULL);
    block(SIG_BLOCK);
    pthread_create(&thread, NULL, send_blocked, NULL);
    pthread_join(thread, NULL);
    block(SIG_UNBLOCK);
    puts(who());
    return 0;
}
