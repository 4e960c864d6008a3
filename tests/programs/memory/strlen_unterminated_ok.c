// The twin of strlen_unterminated: strnlen stops at the end of the block.
// STDOUT: 8
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = 7 + (size_t)argc;
    char *letters = malloc(count);
    if (!letters) return 1;
    memset(letters, 'a', count);
    size_t length = strnlen(letters, count);
    printf("%zu\n", length);
    free(letters);
    return 0;
}
