// A length computed by subtraction is negative, and becomes an enormous size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    int used = 19 + argc, capacity = 16;
    char *buffer = calloc(1, 32);
    if (!buffer) return 1;
    memset(buffer, 7, (size_t)(capacity - used)); // EXPECT: negative-size-param
    printf("%d\n", buffer[0]);
    free(buffer);
    return 0;
}
