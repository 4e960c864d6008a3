// A length that no memory holds: whatever the range meets first, its end is what is wrong.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *volatile from = calloc(16, 1), *volatile to = malloc(16);
    volatile size_t length = (size_t)1 << 60;
    memmove(to, from, length); // EXPECT: unknown-crash read 1152921504606846976
    int sum = to[0] + to[15];
    free(from);
    free(to);
    return sum;
}
