// Leaks of the other members of the family.
// NATIVE: miss at -O0 a stale word on the stack hides some of it
#include <stdlib.h>

static void lose(void) {
    volatile char *first = aligned_alloc(64, 128); // EXPECT: direct-leak 128
    volatile char *second = calloc(3, 7);          // EXPECT: direct-leak 21
    void *third = NULL;
    if (posix_memalign(&third, 4096, 5)) return;   // EXPECT: direct-leak 5
    first[0] = second[0] = *(volatile char *)third = 1;
}

int main(void) {
    lose();
    return 0;
}
