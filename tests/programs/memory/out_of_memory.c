// A block larger than all of the address space that the heap has.
// NATIVE: skip where memory ends depends on the machine
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = malloc(((size_t)1 << 40) - 4096 * (size_t)argc); // EXPECT: out-of-memory
    printf("%d\n", block == NULL);
    return 0;
}
