// Thirteen bytes: the fourteenth lies in the same eight-byte granule as the last valid one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char byte_at(const volatile char *text, int index) {
    return text[index]; // EXPECT: heap-buffer-overflow read 1
}

int main(int argc, char **argv) {
    (void)argv;
    char *text = malloc(13); // ALLOCATED
    if (!text) return 1;
    memset(text, 'x', 13);
    printf("%d\n", byte_at(text, 12 + argc));
    free(text);
    return 0;
}
