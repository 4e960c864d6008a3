// strncat within one string.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char other[32] = "teapot";

int main(int argc, char **argv) {
    (void)argv;
    char *word = calloc(1, 64);
    memcpy(word, "bonbon", 6);
    strncat(word, word + 2 + argc + 1, 3); // EXPECT: strncat-param-overlap
    printf("%c\n", word[0]);
    free(word);
    return other[20];
}
