// The twin of trap_handled.
// FLAGS: ASAN_OPTIONS=handle_sigtrap=1
// NATIVE: miss its program counter is behind the breakpoint
// STDOUT: done
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int count = argc - 1;
    if (count > 0) __asm__ volatile("int3");
    puts("done");
    return 0;
}
