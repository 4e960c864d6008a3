// POSIX timers of every kind run on the virtual clock: seconds of waiting take none.
// STDOUT: signal 7 code 1 overrun 0
// STDOUT: period 3, then off 1
// STDOUT: overrun 4
// STDOUT: two of one number 30
// STDOUT: absolute 1
// STDOUT: thread 5 5 5
// STDOUT: own thread 1
// STDOUT: left 1 0
// STDOUT: slept short 1
// STDOUT: refused 1 1 1 1
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rang, value, code, overrun;
static pthread_t ran_in;
static sem_t told;
static atomic_int n_threads;

static void on_timer(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    rang++;
    value = value + info->si_value.sival_int;
    code = info->si_code == SI_TIMER;
    overrun = info->si_overrun;
    ran_in = pthread_self();
}

static void on_thread(union sigval passed) {
    printf("%d%s", (int)passed.sival_int, atomic_fetch_add(&n_threads, 1) == 2 ? "\n" : " ");
    sem_post(&told);
}

static timer_t made(int notify, int number, int passed) {
    struct sigevent event = {.sigev_notify = notify, .sigev_signo = number};
    timer_t timer = 0;
    event.sigev_value.sival_int = passed;
    event.sigev_notify_function = on_thread;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) puts("no timer");
    rang = value = 0;
    return timer;
}

static void set(timer_t timer, long first_ms, long period_ms) {
    struct itimerspec wanted = {{period_ms / 1000, period_ms % 1000 * 1000000},
                                {first_ms / 1000, first_ms % 1000 * 1000000}};
    if (timer_settime(timer, 0, &wanted, NULL)) puts("not set");
}

static void rest(int ms) {
    struct timespec wanted = {ms / 1000, ms % 1000 * 1000000L}, left;
    while (nanosleep(&wanted, &left) && errno == EINTR) wanted = left;
}

static void *work(void *unused) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    timer_t timer;
    event._sigev_un._tid = gettid();
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    set(timer, 5, 0);
    rest(20);
    printf("own thread %d\n", rang == 1 && pthread_equal(ran_in, pthread_self()));
    timer_delete(timer);
    return unused;
}

static void periods(void) {
    timer_t timer = made(SIGEV_SIGNAL, SIGUSR1, 7);
    set(timer, 2000, 0);
    rest(2001);
    printf("signal %d code %d overrun %d\n", (int)value, (int)code, (int)overrun);
    rang = 0;
    set(timer, 10, 10);
    rest(35);
    int before = rang;
    set(timer, 0, 0);
    rest(100);
    printf("period %d, then off %d\n", before, rang == before);
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &both, NULL);
    set(timer, 10, 10);
    rest(55);
    sigprocmask(SIG_UNBLOCK, &both, NULL);
    printf("overrun %d\n", timer_getoverrun(timer));
    timer_delete(timer);
    sigprocmask(SIG_BLOCK, &both, NULL);
    timer_t one = made(SIGEV_SIGNAL, SIGRTMIN, 10), two = made(SIGEV_SIGNAL, SIGRTMIN, 20);
    set(one, 1, 0);
    set(two, 1, 0);
    rest(5);
    sigprocmask(SIG_UNBLOCK, &both, NULL);
    rest(1);
    printf("two of one number %d\n", (int)value);
    timer_delete(one);
    timer_delete(two);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGRTMIN, &action, NULL);
    sem_init(&told, 0, 0);
    periods();

    timer_t timer;
    struct timespec now, later;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_create(CLOCK_REALTIME, &event, &timer);
    clock_gettime(CLOCK_REALTIME, &now);
    struct itimerspec at = {{0, 0}, {now.tv_sec + 1, now.tv_nsec}};
    timer_settime(timer, TIMER_ABSTIME, &at, NULL);
    struct timespec long_enough = {9, 0};
    nanosleep(&long_enough, NULL);
    clock_gettime(CLOCK_REALTIME, &later);
    printf("absolute %d\n", later.tv_sec - now.tv_sec == 1);
    timer_delete(timer);

    timer = made(SIGEV_THREAD, 0, 5);
    printf("thread ");
    set(timer, 2, 2);
    for (int i = 0; i < 3; i++) sem_wait(&told);
    timer_delete(timer);

    rang = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);

    timer = made(SIGEV_NONE, 0, 0);
    struct itimerspec left;
    set(timer, 1000, 0);
    rest(400);
    timer_gettime(timer, &left);
    int is_half = left.it_value.tv_sec == 0 && left.it_value.tv_nsec > 590000000L;
    rest(700);
    timer_gettime(timer, &left);
    printf("left %d %ld\n", is_half, (long)left.it_value.tv_nsec);

    timer_t waking = made(SIGEV_SIGNAL, SIGUSR1, 1);
    set(waking, 250, 0);
    struct timespec wanted = {1, 0}, rem = {0, 0};
    int ended = nanosleep(&wanted, &rem) == -1 && errno == EINTR;
    printf("slept short %d\n", ended && rem.tv_sec == 0 && rem.tv_nsec > 740000000L);
    timer_delete(waking);
    struct itimerspec bad = {{0, 0}, {0, 1000000000L}};
    int refused = timer_settime(timer, 0, &bad, NULL) == -1 && errno == EINVAL;
    timer_delete(timer);
    printf("refused %d %d %d %d\n", refused, timer_delete(timer) == -1 && errno == EINVAL,
           timer_create(77, NULL, &timer) == -1, timer_gettime(timer, &left) == -1);
    return 0;
}
