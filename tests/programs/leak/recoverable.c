// The program asks, hears of the leak, and goes on.
// STDOUT: before 0
// STDOUT: after 1
#include <stdio.h>
#include <stdlib.h>

int __lsan_do_recoverable_leak_check(void);

static volatile char *volatile block;

int main(void) {
    block = malloc(60); // EXPECT: direct-leak 60
    block[0] = 1;
    printf("before %d\n", __lsan_do_recoverable_leak_check());
    block = NULL;
    printf("after %d\n", __lsan_do_recoverable_leak_check());
    return 0;
}
