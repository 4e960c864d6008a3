// memset with the size of the pointer's neighbour: four bytes too many.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = 15 + (size_t)argc;
    char *buffer = malloc(count); // ALLOCATED
    if (!buffer) return 1;
    memset(buffer, 0, count + 4); // EXPECT: heap-buffer-overflow write 20
    printf("%d\n", buffer[0]);
    free(buffer);
    return 0;
}
