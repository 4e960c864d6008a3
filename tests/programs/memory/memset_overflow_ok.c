// The twin of memset_overflow: exactly the block.
// STDOUT: 0 9
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = 15 + (size_t)argc;
    char *buffer = malloc(count);
    if (!buffer) return 1;
    memset(buffer, 0, count);
    memset(buffer + 8, 9, count - 8);
    printf("%d %d\n", buffer[7], buffer[8]);
    free(buffer);
    return 0;
}
