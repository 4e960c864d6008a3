// A sum runs to the end of a block that fills its page.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096 / sizeof(int) };

static __attribute__((noinline)) int sum(volatile int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) {
        total += values[i];
    }
    return total;
}

int main(void) {
    int *values = calloc(COUNT, sizeof *values);
    printf("%d\n", sum(values, COUNT));
    free(values);
    return 0;
}
