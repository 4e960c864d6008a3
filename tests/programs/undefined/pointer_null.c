// Arithmetic on the null pointer, and arithmetic that leads to it.
#include <stddef.h>
#include <stdint.h>

char bytes[16];
char *volatile nowhere;
char *volatile place;
volatile ptrdiff_t four = 4;

int main(void) {
    place = nowhere + four; // EXPECT: nullptr-with-nonzero-offset
    char *base = bytes;
    ptrdiff_t back = (ptrdiff_t)(uintptr_t)base + four - 4;
    place = base - back; // EXPECT: nullptr-after-nonzero-offset
    return 0;
}
