// The twin of out_of_memory: the same is refused with a null pointer.
// FLAGS: ASAN_OPTIONS=allocator_may_return_null=1
// NATIVE: skip where memory ends depends on the machine
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = malloc(((size_t)1 << 40) - 4096 * (size_t)argc);
    printf("%d\n", block == NULL);
    return 0;
}
