// FLAGS: ASAN_OPTIONS=detect_invalid_pointer_pairs=1
// NATIVE: miss it needs -fsanitize=pointer-compare when it is compiled
// The order of two blocks means nothing.
#include <stdlib.h>

char *volatile first, *volatile second;

int main(void) {
    first = malloc(40);
    second = malloc(4000);
    int is_before = first < second; // EXPECT: invalid-pointer-pair
    free(first);
    free(second);
    return is_before;
}
