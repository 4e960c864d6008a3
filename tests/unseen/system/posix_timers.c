// POSIX timers: by signal with a value, by thread, absolute, read and overrun.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t fired, value_sum;
static sem_t thread_fired;
static int thread_value;

static void on_timer(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    fired++;
    value_sum += info->si_value.sival_int;
}

static void in_thread(union sigval value) {
    thread_value = *(int *)value.sival_ptr;
    sem_post(&thread_fired);
}

int main(void) {
    struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = on_timer};
    sigaction(SIGRTMIN + 1, &action, NULL);
    timer_t timer;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL, event.sigev_signo = SIGRTMIN + 1, event.sigev_value.sival_int = 5;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec spec = {{0, 5000000}, {0, 5000000}}, left;
    assert(timer_settime(timer, 0, &spec, NULL) == 0);
    while (fired < 4) pause();
    assert(timer_gettime(timer, &left) == 0 && left.it_interval.tv_nsec == 5000000);
    memset(&spec, 0, sizeof spec);
    timer_settime(timer, 0, &spec, &left);
    printf("%d %d\n", fired >= 4, value_sum == fired * 5);
    assert(timer_getoverrun(timer) >= 0);
    timer_delete(timer);

    sem_init(&thread_fired, 0, 0);
    int cell = 77;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD, event.sigev_notify_function = in_thread, event.sigev_value.sival_ptr = &cell;
    assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    spec.it_value.tv_sec = now.tv_sec, spec.it_value.tv_nsec = now.tv_nsec + 20000000;
    if (spec.it_value.tv_nsec >= 1000000000) spec.it_value.tv_sec++, spec.it_value.tv_nsec -= 1000000000;
    assert(timer_settime(timer, TIMER_ABSTIME, &spec, NULL) == 0);
    while (sem_wait(&thread_fired)) continue;
    printf("%d\n", thread_value);
    assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
    timer_delete(timer);

    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_NONE;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    spec = (struct itimerspec){{0, 0}, {100, 0}};
    timer_settime(timer, 0, &spec, NULL);
    timer_gettime(timer, &left);
    printf("%d\n", left.it_value.tv_sec >= 90 && left.it_value.tv_sec <= 100);
    timer_delete(timer);
    return 0;
}
