// The twin of aligned_alloc_invalid_power.
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = aligned_alloc(32 * (size_t)argc, 64);
    printf("%d\n", block != NULL);
    free(block);
    return 0;
}
