// posix_memalign wants a power of two that is a multiple of the pointer size.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *block = NULL;
    size_t alignment = 1 + (size_t)argc;
    int error = posix_memalign(&block, alignment, 64); // EXPECT: invalid-posix-memalign-alignment
    printf("%d\n", error);
    free(block);
    return 0;
}
