// The twin of strcat_overlap: the tail is copied away first.
// STDOUT: bonbonbon
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char *word = malloc(64);
    if (!word) return 1;
    strcpy(word, "bonbon");
    char *tail = strdup(word + 2 + argc);
    if (!tail) return 1;
    strcat(word, tail);
    puts(word);
    free(tail);
    free(word);
    return 0;
}
