// The twin of posix_memalign_invalid.
// STDOUT: 0 0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *block = NULL;
    int error = posix_memalign(&block, 128 * (size_t)argc, 64);
    printf("%d %d\n", error, (int)((uintptr_t)block % 128));
    free(block);
    return 0;
}
