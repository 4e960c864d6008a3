// The whole of a block is moved.
// EXIT: 0
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *volatile from = calloc(16, 1), *volatile to = malloc(16);
    volatile size_t length = 16;
    memmove(to, from, length);
    int sum = to[0] + to[15];
    free(from);
    free(to);
    return sum;
}
