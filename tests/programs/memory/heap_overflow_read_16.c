// A sixteen-byte vector read whose second half is outside the block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float quad __attribute__((vector_size(16)));

static float first_of(const volatile quad *at) {
    quad value = *at; // EXPECT: heap-buffer-overflow read 16
    return value[0];
}

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = 15 * (size_t)argc + 9;
    float *numbers = malloc(size_bytes); // ALLOCATED
    if (!numbers) return 1;
    memset(numbers, 0, size_bytes);
    printf("%g\n", (double)first_of((const volatile quad *)(void *)(numbers + 4)));
    free(numbers);
    return 0;
}
