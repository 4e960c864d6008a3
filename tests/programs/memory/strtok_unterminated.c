// The text of strtok has no end; it is told before the delimiters, which have none either.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(4); // ALLOCATED
    char *delimiters = malloc(1);
    memcpy(text, "word", 4);
    delimiters[0] = ',';
    const char *token = strtok(text, delimiters); // EXPECT: heap-buffer-overflow read 5
    printf("%d\n", token != NULL);
    free(delimiters);
    free(text);
    return 0;
}
