// A search on demand ends the program when there are leaks.
// STDOUT: before
#include <stdio.h>
#include <stdlib.h>

void __lsan_do_leak_check(void);

static void lose(void) {
    volatile char *block = malloc(61); // EXPECT: direct-leak 61
    block[0] = 1;
}

int main(void) {
    puts("before");
    fflush(stdout);
    lose();
    __lsan_do_leak_check();
    puts("after");
    return 0;
}
