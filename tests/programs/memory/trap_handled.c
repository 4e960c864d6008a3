// A breakpoint instruction, with handle_sigtrap=1.
// FLAGS: ASAN_OPTIONS=handle_sigtrap=1
// NATIVE: miss its program counter is behind the breakpoint
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int count = argc;
    if (count > 0) __asm__ volatile("int3"); // EXPECT: TRAP
    puts("done");
    return 0;
}
