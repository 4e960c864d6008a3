// A string is appended to itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile word;

int main(void) {
    word = malloc(32);
    char *volatile same = word;
    memcpy(word, "bonbon", 7);
    strcat(word, same); // EXPECT: strcat-param-overlap
    puts(word);
    free(word);
    return 0;
}
