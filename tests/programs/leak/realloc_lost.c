// The result of realloc is lost: the new block leaks, with the line of the realloc.
#include <stdlib.h>

static void lose(void) {
    volatile char *block = malloc(8);
    block[0] = 1;
    block = realloc((void *)block, 100); // EXPECT: direct-leak 100
    block[99] = 1;
}

int main(void) {
    lose();
    return 0;
}
