// A block that only points to itself is a direct leak.
#include <stdlib.h>

static void lose(void) {
    void *volatile *block = malloc(24); // EXPECT: direct-leak 24
    block[1] = (void *)block;
}

int main(void) {
    lose();
    return 0;
}
