// A pointer that walks by a big stride and ends far behind its block, where it is not used.
// EXIT: 0
#include <stdlib.h>

int main(void) {
    volatile char *block = calloc(4096, 1);
    long sum = 0;
    volatile char *at = block + 8;
    for (int i = 0; i < 16; i++) {
        sum += *at;
        at += 256;
    }
    for (int i = 0; i < 16; i++) {
        at -= 256;
        sum += *at;
    }
    free((void *)block);
    return (int)sum;
}
