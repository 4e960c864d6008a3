// A four-byte read of a heap block that was freed two lines before.
#include <stdio.h>
#include <stdlib.h>

static int *volatile published;

int main(void) {
    int *block = malloc(10 * sizeof *block); // ALLOCATED
    if (!block) return 1;
    block[3] = 7;
    published = block;
    free(published); // FREED
    int value = published[3]; // EXPECT: heap-use-after-free read 4
    printf("%d\n", value);
    return 0;
}
