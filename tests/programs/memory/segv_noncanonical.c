// A pointer whose upper bits were used for a tag that was not taken off.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static volatile uintptr_t tagged;

int main(void) {
    int *cell = calloc(1, sizeof *cell);
    if (!cell) return 1;
    tagged = (uintptr_t)cell | (uintptr_t)1 << 62;
    int value = *(volatile int *)tagged; // EXPECT: SEGV
    printf("%d\n", value);
    free(cell);
    return 0;
}
