// Large blocks until there is no room for another.
// NATIVE: skip where memory ends depends on the machine
#include <stdio.h>
#include <stdlib.h>

static void *volatile kept;

int main(void) {
    for (int i = 0; i < 64; i++) {
        kept = malloc((size_t)1 << 36); // EXPECT: out-of-memory
    }
    puts("done");
    return 0;
}
