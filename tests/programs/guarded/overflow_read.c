// A sum runs one element past a block that fills its page.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096 / sizeof(int) };

static __attribute__((noinline)) int sum(volatile int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) {
        total += values[i]; // EXPECT: Buffer Overflow read 4
    }
    return total;
}

int main(void) {
    int *values = calloc(COUNT, sizeof *values); // ALLOCATED
    printf("%d\n", sum(values, COUNT + 1));
    free(values);
    return 0;
}
