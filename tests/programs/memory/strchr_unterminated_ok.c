// The twin of strchr_unterminated: what decides comes before the end of the block.
// STDOUT: 1 1 2 -12 3 ab
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char *word = malloc(4);
    memcpy(word, "abcd", 4);
    int found = strchr(word, argc > 5 ? 'x' : 'c') != NULL;
    int order = strcmp(word, argc > 5 ? "x" : "abcc") > 0;
    size_t span = strcspn(word, "dc");
    memcpy(word, "-12,", 4);
    long number = strtol(word, NULL, 10);
    size_t length = strnlen(word, 3);
    memcpy(word, "ab,c", 4);
    char *state = NULL;
    printf("%d %d %zu %ld %zu %s\n", found, order, span, number, length,
           strtok_r(word, ",", &state));
    free(word);
    return 0;
}
