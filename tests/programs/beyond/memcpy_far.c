// A copy to a place far behind its block.
// NATIVE: miss every byte written is a live byte of another block
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char *volatile first;
static char *volatile second;

int main(void) {
    first = malloc(64);
    second = malloc(64);
    volatile long distance = (intptr_t)second - (intptr_t)first;
    volatile long size = 24;
    char source[32] = "something";
    char *target = first;
    memcpy(target + distance, source, (size_t)size); // EXPECT: heap-buffer-overflow write
    char found = second[0];
    free(first);
    free(second);
    return found == 's' ? 0 : 1;
}
