// The twin of allocation_too_big: 64 MiB is a lot, yet nothing wrong.
// STDOUT: 3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t size_bytes = (size_t)argc << 26;
    volatile char *big = malloc(size_bytes);
    if (!big) return 1;
    big[0] = 1;
    big[size_bytes - 1] = 2;
    printf("%d\n", big[0] + big[size_bytes - 1]);
    free((void *)big);
    return 0;
}
