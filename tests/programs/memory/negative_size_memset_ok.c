// The twin of negative_size_memset: clamped to zero; a size of zero is allowed.
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    int used = 19 + argc, capacity = 16;
    int rest = capacity > used ? capacity - used : 0;
    char *buffer = calloc(1, 32);
    if (!buffer) return 1;
    memset(buffer, 7, (size_t)rest);
    printf("%d\n", buffer[0]);
    free(buffer);
    return 0;
}
