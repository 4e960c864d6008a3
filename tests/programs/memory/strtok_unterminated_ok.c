// Text and delimiters of strtok end within their blocks.
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(5);
    char *delimiters = malloc(2);
    memcpy(text, "word", 5);
    memcpy(delimiters, ",", 2);
    const char *token = strtok(text, delimiters);
    printf("%d\n", token != NULL);
    free(delimiters);
    free(text);
    return 0;
}
