// A trap instruction with handle_sigill=1 becomes a report.
// FLAGS: ASAN_OPTIONS=handle_sigill=1
#include <stdio.h>

static volatile int state = 3;

int main(void) {
    if (state == 3) __builtin_trap(); // EXPECT: ILL
    puts("not reached");
    return 0;
}
