// Only pointers to the start of a block count when that is asked for.
// FLAGS: LSAN_OPTIONS=use_interior=0
// NATIVE: miss the flag is irsan's
#include <stdlib.h>

static volatile char *kept;

static void fill(void) {
    volatile char *block = malloc(86); // EXPECT: direct-leak 86
    block[0] = 1;
    kept = block + 85;
}

int main(void) {
    fill();
    return 0;
}
