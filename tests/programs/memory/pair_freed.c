// FLAGS: ASAN_OPTIONS=detect_invalid_pointer_pairs=2
// NATIVE: miss it needs -fsanitize=pointer-compare when it is compiled
// Pointers into a block that has been freed have no order any more.
#include <stdlib.h>

char *volatile first, *volatile last;

int main(void) {
    first = malloc(40); // ALLOCATED
    last = first + 20;
    int was_before = first < last;
    free(first); // FREED
    return (first < last) + was_before == 0; // EXPECT: invalid-pointer-pair
}
