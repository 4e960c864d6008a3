// The twin of strncpy_overlap.
// STDOUT: b
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char other[32] = "teapot";

int main(int argc, char **argv) {
    (void)argv;
    char *word = calloc(1, 64);
    memcpy(word, "bonbon", 6);
    strncpy(word + 8 + argc, word, 6);
    printf("%c\n", word[0]);
    free(word);
    return other[20];
}
