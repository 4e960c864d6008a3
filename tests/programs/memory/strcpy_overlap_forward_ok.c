// The twin of strcpy_overlap_forward: memmove may do that.
// STDOUT: nbon
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char *word = malloc(16);
    memcpy(word, "bonbon", 7);
    char *from = word + 1 + argc;
    memmove(word, from, strlen(from) + 1);
    puts(word);
    free(word);
    return 0;
}
