// Statics of functions, arrays of pointers, a pointer in a block of a block.
// EXIT: 0
#include <stdlib.h>

static void *volatile *next(void) {
    static void *volatile blocks[8];
    static int n;
    return &blocks[n++ % 8];
}

int main(void) {
    for (int i = 0; i < 8; i++) {
        void *volatile *outer = malloc(24);
        void *volatile *inner = malloc(16);
        inner[1] = malloc(8);
        inner[0] = NULL;
        outer[2] = (void *)inner;
        outer[0] = outer[1] = NULL;
        *next() = (void *)outer;
    }
    return 0;
}
