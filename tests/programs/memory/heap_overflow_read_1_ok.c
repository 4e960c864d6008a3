// The twin of heap_overflow_read_1: the thirteenth of thirteen bytes.
// STDOUT: x
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char byte_at(const volatile char *text, int index) {
    return text[index];
}

int main(int argc, char **argv) {
    (void)argv;
    char *text = malloc(13);
    if (!text) return 1;
    memset(text, 'x', 13);
    printf("%c\n", byte_at(text, 11 + argc));
    free(text);
    return 0;
}
