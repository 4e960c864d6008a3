// The twin of illegal_instruction_branch.
// FLAGS: ASAN_OPTIONS=handle_sigill=1
// STDOUT: 1
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int count = argc;
    if (count == 2) __builtin_trap();
    printf("%d\n", count);
    return 0;
}
