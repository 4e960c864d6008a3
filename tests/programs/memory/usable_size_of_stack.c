// malloc_usable_size of memory that malloc never gave.
#include <malloc.h>
#include <stdio.h>

static void *volatile pointer;

int main(void) {
    long local[4] = {0};
    pointer = local;
    size_t size_bytes = malloc_usable_size(pointer); // EXPECT: bad-malloc_usable_size
    printf("%zu\n", size_bytes);
    return 0;
}
