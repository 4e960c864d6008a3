// The alarm rings in the time that sleeping takes, and ends what waits.
// EXIT: 142
// STDOUT: left 3, then 10
// STDOUT: sleep was cut short 6
// STDOUT: nanosleep left 9 s
// STDOUT: pause ended 1
// STDOUT: twenty ticks
// STDOUT: spinning ended
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void on_tick(int number) { ticks += number == SIGALRM; }

int main(void) {
    signal(SIGALRM, on_tick);
    alarm(3);
    unsigned first = alarm(10), second = alarm(0);
    printf("left %u, then %u\n", first, second);
    alarm(3);
    printf("sleep was cut short %u\n", sleep(10));
    struct timespec ten = {10, 0}, left = {0, 0};
    alarm(1);
    int status = nanosleep(&ten, &left);
    int is_interrupted = status == -1 && errno == EINTR;
    printf("nanosleep left %d s\n", is_interrupted ? (int)(left.tv_sec + (left.tv_nsec > 0)) : -1);
    alarm(1);
    printf("pause ended %d\n", pause() == -1 && errno == EINTR);
    struct itimerval often = {{0, 500}, {0, 500}};
    ticks = 0;
    setitimer(ITIMER_REAL, &often, NULL);
    while (ticks < 20) pause();
    puts("twenty ticks");
    ticks = 0;
    while (ticks < 2) continue;
    often = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    puts("spinning ended");
    fflush(stdout);
    signal(SIGALRM, SIG_DFL);
    alarm(1);
    sleep(2);
    puts("never printed");
    return 0;
}
