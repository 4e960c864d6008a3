// An integer that is no address is used as one.
#include <stdint.h>
#include <stdio.h>

static volatile uintptr_t handle = 0x8234567000; // where no heap has grown to

int main(void) {
    const volatile int *pointer = (const volatile int *)handle;
    int value = *pointer; // EXPECT: SEGV read
    printf("%d\n", value);
    return 0;
}
