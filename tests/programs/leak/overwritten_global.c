// The second block takes the place of the first.
#include <stdlib.h>

static volatile char *volatile block;

int main(void) {
    block = malloc(10); // EXPECT: direct-leak 10
    block[0] = 1;
    block = malloc(20);
    block[0] = 1;
    return 0;
}
