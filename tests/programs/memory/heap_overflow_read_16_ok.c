// The twin of heap_overflow_read_16: room for two whole vectors.
// STDOUT: 4
#include <stdio.h>
#include <stdlib.h>

typedef float quad __attribute__((vector_size(16)));

static float first_of(const volatile quad *at) {
    quad value = *at;
    return value[0];
}

int main(int argc, char **argv) {
    (void)argv;
    float *numbers = malloc(32);
    if (!numbers) return 1;
    for (int i = 0; i < 8; i++) numbers[i] = (float)(i * argc);
    printf("%g\n", (double)first_of((const volatile quad *)(void *)(numbers + 4)));
    free(numbers);
    return 0;
}
