// A pointer kept in a table is read after its block was freed.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
#include <stdio.h>
#include <stdlib.h>

static int *volatile table[4];

static __attribute__((noinline)) int look_up(int i) {
    return *table[i]; // EXPECT: Use After Free read 4
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        table[i] = malloc(sizeof *table[i]); // ALLOCATED
        *table[i] = i;
    }
    printf("%d\n", look_up(2));
    free(table[2]); // FREED
    printf("%d\n", look_up(2));
    return 0;
}
