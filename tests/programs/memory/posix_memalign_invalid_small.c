// posix_memalign with less than the size of a pointer.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *block = NULL;
    int status = posix_memalign(&block, 4 * (size_t)argc, 16); // EXPECT: invalid-posix-memalign-alignment
    printf("%d\n", status);
    free(block);
    return 0;
}
