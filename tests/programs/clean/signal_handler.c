// A handler for a signal that the program raises itself, then the default again.
// EXIT: 138
// STDOUT: handled 2
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t handled;

static void on_signal(int number) { handled += number == SIGUSR1; }

int main(void) {
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    raise(SIGUSR1);
    printf("handled %d\n", (int)handled);
    fflush(stdout);
    signal(SIGUSR1, SIG_DFL);
    raise(SIGUSR1);
    return 0;
}
