// A string is moved down by two within itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char *word = malloc(16);
    memcpy(word, "bonbon", 7);
    char *from = word + 1 + argc;
    strcpy(word, from); // EXPECT: strcpy-param-overlap
    puts(word);
    free(word);
    return 0;
}
