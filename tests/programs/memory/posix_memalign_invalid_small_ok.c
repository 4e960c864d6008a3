// The twin of posix_memalign_invalid_small.
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *block = NULL;
    int status = posix_memalign(&block, 8 * (size_t)argc, 16);
    printf("%d\n", status);
    free(block);
    return 0;
}
