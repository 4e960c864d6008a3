// exit and searches in the depth: every frame above is alive, and so is what it points to.
// STDOUT: leaks 0
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

static long descend(int depth, volatile char *outer) {
    volatile char *block = malloc(depth + 1);
    block[depth] = outer ? outer[0] : 1;
    if (depth == 0) {
        int found = __lsan_do_recoverable_leak_check ? __lsan_do_recoverable_leak_check() : 0;
        printf("leaks %d\n", found);
        exit(0);
    }
    long below = descend(depth - 1, block);
    return below + block[depth];
}

int main(void) {
    return (int)descend(20, NULL);
}
