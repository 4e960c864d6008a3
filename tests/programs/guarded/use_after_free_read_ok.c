// The entry is forgotten when its block is freed.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// STDOUT: 2
// STDOUT: -1
#include <stdio.h>
#include <stdlib.h>

static int *volatile table[4];

static __attribute__((noinline)) int look_up(int i) {
    return table[i] ? *table[i] : -1;
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        table[i] = malloc(sizeof *table[i]);
        *table[i] = i;
    }
    printf("%d\n", look_up(2));
    free(table[2]);
    table[2] = NULL;
    printf("%d\n", look_up(2));
    for (int i = 0; i < 4; i++) free(table[i]);
    return 0;
}
