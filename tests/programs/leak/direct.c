// One block, and the only pointer to it goes with the function.
#include <stdlib.h>

static void lose(void) {
    volatile char *block = malloc(12); // EXPECT: direct-leak 12
    block[0] = 1;
}

int main(void) {
    lose();
    return 0;
}
