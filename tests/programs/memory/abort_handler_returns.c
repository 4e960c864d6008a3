// The program's handler of SIGABRT runs first, as natively; when it returns, the program ends.
// STDOUT: handled 6
// NATIVE: miss handle_abort is off there
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void tell(int number) {
    printf("handled %d\n", number);
    fflush(stdout);
}

int main(void) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGABRT);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGABRT, tell);
    abort(); // EXPECT: ABRT
}
