// A program that a signal ends takes its unwritten output with it, and reports say the signal.
// EXIT: 141
// STDOUT: written
#include <signal.h>
#include <stdio.h>

int main(void) {
    puts("written");
    fflush(stdout);
    printf("never written");
    raise(SIGPIPE);
    return 0;
}
