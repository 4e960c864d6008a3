// The twin of strncpy_overflow: the bound is the size of the block.
// STDOUT: short 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    const char *words[] = {"", "short"};
    size_t bound = 9 + (size_t)argc;
    char *word = malloc(bound);
    if (!word) return 1;
    strncpy(word, words[argc], bound);
    printf("%s %d\n", word, word[bound - 1]);
    free(word);
    return 0;
}
