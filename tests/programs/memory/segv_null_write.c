// A write through a null pointer.
#include <stddef.h>
#include <stdio.h>

static volatile int *volatile target;

int main(void) {
    puts("before");
    *target = 1; // EXPECT: SEGV write
    puts("after");
    return 0;
}
