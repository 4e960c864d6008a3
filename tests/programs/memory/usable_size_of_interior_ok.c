// The twin of usable_size_of_interior.
// STDOUT: 1
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *volatile block = malloc(40);
    size_t n = malloc_usable_size(block);
    printf("%d\n", n >= 40);
    free(block);
    return 0;
}
