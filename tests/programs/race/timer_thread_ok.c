// The thread of a timer knows what was written before the timer was set.
// STDOUT: 2 2
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
static int before, later;
static sem_t told;
static void on_time(union sigval passed) {
    (void)passed;
    before += 1;
    later += 1;
    sem_post(&told);
}
int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_time};
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    timer_t timer;
    sem_init(&told, 0, 0);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return 1;
    before = later = 1;
    timer_settime(timer, 0, &soon, NULL);
    sem_wait(&told);
    printf("%d %d\n", before, later);
    timer_delete(timer);
    return 0;
}
