// The twin of aligned_alloc_invalid: every power of two up to a page, and the block is aligned.
// STDOUT: 0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    uintptr_t misaligned = 0;
    for (size_t alignment = 8 * (size_t)argc; alignment <= 4096; alignment *= 2) {
        char *block = aligned_alloc(alignment, 2 * alignment);
        if (!block) return 1;
        memset(block, 1, 2 * alignment);
        misaligned |= (uintptr_t)block & (alignment - 1);
        free(block);
    }
    printf("%d\n", misaligned != 0);
    return 0;
}
