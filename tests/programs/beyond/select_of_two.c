// A pointer to one of two objects, indexed out of whichever it is into the other.
// ARGS: right
// NATIVE: miss the address is a live byte of another block
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    volatile long *left = malloc(512);
    volatile long *right = malloc(512);
    volatile long distance = ((intptr_t)right - (intptr_t)left) / 8;
    left[1] = right[1] = 0;
    volatile long *chosen = argc > 1 ? left : right;
    long index = argc > 1 ? distance + 1 : 1 - distance;
    long found = chosen[index]; // EXPECT: heap-buffer-overflow read 8
    (void)argv;
    free((void *)left);
    free((void *)right);
    return (int)found;
}
