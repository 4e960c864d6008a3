// The twin of heap_use_after_free_read: the value is read before the block goes.
// STDOUT: 7
#include <stdio.h>
#include <stdlib.h>

static int *volatile published;

int main(void) {
    int *block = malloc(10 * sizeof *block);
    if (!block) return 1;
    block[3] = 7;
    published = block;
    int value = published[3];
    free(published);
    printf("%d\n", value);
    return 0;
}
