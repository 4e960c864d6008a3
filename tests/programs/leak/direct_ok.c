// Freed, and kept in a global: neither is a leak.
// EXIT: 0
#include <stdlib.h>

static volatile char *kept;

int main(void) {
    volatile char *block = malloc(12);
    block[0] = 1;
    free((void *)block);
    kept = malloc(13);
    kept[0] = 1;
    return 0;
}
