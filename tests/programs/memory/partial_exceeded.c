// poison_partial=0 forgives the rest of the last granule, not the next one.
// FLAGS: ASAN_OPTIONS=poison_partial=0
#include <stdlib.h>

int main(void) {
    char *volatile block = malloc(21);
    volatile int index = 6;
    int value = ((volatile int *)block)[index]; // EXPECT: heap-buffer-overflow read 4
    free(block);
    return value & 0;
}
