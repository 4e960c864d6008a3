// A vector of 32 bytes, at a multiple of four, whose last four bytes are outside of the block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float wide __attribute__((vector_size(32), aligned(4)));

static float last_of(const volatile wide *at) {
    wide value = *at; // EXPECT: heap-buffer-overflow read 32
    return value[sizeof value / sizeof value[0] - 1];
}

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = 40 * (size_t)argc;
    float *numbers = malloc(size_bytes); // ALLOCATED
    if (!numbers) return 1;
    memset(numbers, 0, size_bytes);
    printf("%g\n", (double)last_of((const volatile wide *)(void *)(numbers + 3)));
    free(numbers);
    return 0;
}
