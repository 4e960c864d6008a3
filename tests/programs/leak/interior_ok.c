// Pointers into the middle of a block keep it alive.
// EXIT: 0
#include <stdlib.h>

static volatile char *kept;

static void fill(void) {
    volatile char *block = malloc(86);
    block[0] = 1;
    kept = block + 85;
}

int main(void) {
    fill();
    return 0;
}
