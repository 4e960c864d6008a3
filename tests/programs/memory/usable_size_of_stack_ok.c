// The twin of usable_size_of_stack: at least what was asked for; zero for null.
// STDOUT: 1 0
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static void *volatile pointer;

int main(void) {
    pointer = malloc(40);
    printf("%d ", malloc_usable_size(pointer) >= 40);
    free(pointer);
    pointer = NULL;
    printf("%zu\n", malloc_usable_size(pointer));
    return 0;
}
