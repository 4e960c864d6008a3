// A vector of 64 bytes, at a multiple of four, that ends where the block does.
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>

typedef float wide __attribute__((vector_size(64), aligned(4)));

static float last_of(const volatile wide *at) {
    wide value = *at;
    return value[sizeof value / sizeof value[0] - 1];
}

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = 76 * (size_t)argc;
    float *numbers = malloc(size_bytes);
    if (!numbers) return 1;
    for (size_t i = 0; i < size_bytes / sizeof *numbers; i++) numbers[i] = 1;
    printf("%g\n", (double)last_of((const volatile wide *)(void *)(numbers + 3)));
    free(numbers);
    return 0;
}
