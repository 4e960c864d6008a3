// A handler of the alarm prints through a stream that the program may be printing to.
// NATIVE: skip only calls of the heap are unsafe there, and the call may wait for ever
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t handled;

static void on_alarm(int number) {
    printf("signal %d\n", number); // EXPECT: signal-unsafe call inside of a signal
    handled = 1;
}

int main(void) {
    signal(SIGALRM, on_alarm);
    alarm(1);
    while (!handled) {
    }
    puts("done");
    return 0;
}
