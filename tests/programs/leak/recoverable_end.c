// STDOUT: told 1
// EXIT: 0
// NATIVE: miss at -O0 a stale word on the stack hides it
// The program has asked, has been told, and ends without exit: its status is its own.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int __lsan_do_recoverable_leak_check(void);

static volatile char *volatile block;

int main(void) {
    block = malloc(63); // EXPECT: direct-leak 63
    block[0] = 1;
    block = NULL;
    printf("told %d\n", __lsan_do_recoverable_leak_check());
    fflush(stdout);
    _exit(0);
}
