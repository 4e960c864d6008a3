// strcat of a string onto itself: the terminator that ends the copy is overwritten.
#include <stdlib.h>
#include <string.h>

static char *volatile word, *volatile tail;

int main(int argc, char **argv) {
    (void)argv;
    word = malloc(64);
    if (!word) return 1;
    strcpy(word, "bonbon");
    tail = word + 2 + argc;
    strcat(word, tail); // EXPECT: strcat-param-overlap
    free(word);
    return 0;
}
