// A trap in a branch that should never be taken, with handle_sigill=1.
// FLAGS: ASAN_OPTIONS=handle_sigill=1
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int count = argc;
    if (count == 1) __builtin_trap(); // EXPECT: ILL
    printf("%d\n", count);
    return 0;
}
