// memcpy within one buffer, with ranges that overlap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t shift = 3 + (size_t)argc;
    char *buffer = calloc(1, 64);
    if (!buffer) return 1;
    memcpy(buffer + shift, buffer, 16); // EXPECT: memcpy-param-overlap
    printf("%d\n", buffer[shift]);
    free(buffer);
    return 0;
}
