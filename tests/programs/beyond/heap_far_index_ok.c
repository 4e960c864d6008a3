// The same address, written through the pointer it belongs to.
// EXIT: 0
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    volatile int *first = malloc(40);
    volatile int *second = malloc(40);
    long distance = ((intptr_t)second - (intptr_t)first) / 4;
    second[distance - distance + 3] = 7;
    first[(distance & 1) + 3] = 7;
    free((void *)first);
    free((void *)second);
    return 0;
}
