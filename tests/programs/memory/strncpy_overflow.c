// strncpy pads with zeros up to its bound, which here is larger than the block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    const char *words[] = {"", "short"};
    size_t bound = 15 + (size_t)argc;
    char *word = malloc(10); // ALLOCATED
    if (!word) return 1;
    strncpy(word, words[argc], bound); // EXPECT: heap-buffer-overflow write 16
    puts(word);
    free(word);
    return 0;
}
