// The address of a local variable outlives its function.
#include <stdio.h>

static int *volatile kept;

__attribute__((noinline)) static void keep(void) {
    int local = 7;
    kept = &local;
}

int main(void) {
    keep();
    printf("%d\n", *kept); // EXPECT: stack-use-after-return read 4
    return 0;
}
