// With poison_partial=0 the last granule of a block and of a global may be used as a whole.
// FLAGS: ASAN_OPTIONS=poison_partial=0
// EXIT: 0
#include <stdlib.h>
#include <string.h>

static char table[21];

static int last_word(char *volatile at) { return ((volatile int *)at)[5]; }

int main(void) {
    char *block = calloc(21, 1);
    int sum = last_word(block) | last_word(table);
    free(block);
    return sum & 0;
}
