// strlen of eight bytes that have no terminator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = 7 + (size_t)argc;
    char *letters = malloc(count); // ALLOCATED
    if (!letters) return 1;
    memset(letters, 'a', count);
    size_t length = strlen(letters); // EXPECT: heap-buffer-overflow read
    printf("%zu\n", length);
    free(letters);
    return 0;
}
