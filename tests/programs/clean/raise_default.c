// A signal raised with its default action ends the program: status 128 + SIGTERM.
// EXIT: 143
#include <signal.h>
#include <stdio.h>

int main(void) {
    fflush(stdout);
    raise(SIGTERM);
    puts("not reached");
    return 0;
}
