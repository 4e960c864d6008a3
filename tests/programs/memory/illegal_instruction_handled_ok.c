// The twin of illegal_instruction_handled: the trap is passed by.
// FLAGS: ASAN_OPTIONS=handle_sigill=1
// STDOUT: reached
#include <stdio.h>

static volatile int state = 4;

int main(void) {
    if (state == 3) __builtin_trap();
    puts("reached");
    return 0;
}
