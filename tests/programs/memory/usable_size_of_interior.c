// malloc_usable_size of the middle of a block.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *volatile block = malloc(40);
    size_t n = malloc_usable_size(block + 8); // EXPECT: bad-malloc_usable_size
    printf("%d\n", n >= 40);
    free(block);
    return 0;
}
