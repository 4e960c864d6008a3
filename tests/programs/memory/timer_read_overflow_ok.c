// A timerfd gives eight bytes.
// STDOUT: 1
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    uint64_t *count = malloc(sizeof *count);
    timer_t timer;
    int file = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(file, 0, &soon, NULL);
    if (read(file, count, 8) != 8) return 1;
    printf("%d\n", (int)count[0]);
    free(count);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_delete(timer);
    close(file);
    return 0;
}
