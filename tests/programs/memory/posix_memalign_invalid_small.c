// posix_memalign with less than the size of a pointer.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *block = NULL;
    int status = posix_memalign( // EXPECT: invalid-posix-memalign-alignment
        &block, 4 * (size_t)argc, 16);
    printf("%d\n", status);
    free(block);
    return 0;
}
