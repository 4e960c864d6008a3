// Pointer arithmetic that wraps around the address space.
#include <stddef.h>
#include <stdint.h>

char bytes[16];
volatile size_t huge = SIZE_MAX / 2 + 1, far = SIZE_MAX - 64;
char *volatile place;

int main(void) {
    char *high = (char *)far;
    place = high + 4096 * (huge >> 60); // EXPECT: pointer-overflow
    char *low = (char *)(huge >> 58);
    place = low - 4096; // EXPECT: pointer-overflow
    return 0;
}
