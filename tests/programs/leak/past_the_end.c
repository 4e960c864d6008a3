// A pointer just behind a block keeps it not.
#include <stdlib.h>

static volatile char *kept;

static void fill(void) {
    volatile char *block = malloc(96); // EXPECT: direct-leak 96
    block[0] = 1;
    kept = block + 96;
}

int main(void) {
    fill();
    return 0;
}
