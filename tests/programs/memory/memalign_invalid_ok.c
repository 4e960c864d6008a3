// The twin of memalign_invalid.
// STDOUT: 1
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = memalign(64 * (size_t)argc, 100);
    printf("%d\n", block != NULL);
    free(block);
    return 0;
}
