// The twin of memalign_invalid_odd.
// STDOUT: 1
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = memalign(4 * (size_t)argc, 8);
    printf("%d\n", block != NULL);
    free(block);
    return 0;
}
