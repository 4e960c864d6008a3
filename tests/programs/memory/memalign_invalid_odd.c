// memalign wants a power of two.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = memalign(3 * (size_t)argc, 8); // EXPECT: invalid-allocation-alignment
    printf("%d\n", block != NULL);
    free(block);
    return 0;
}
