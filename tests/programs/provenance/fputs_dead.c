// fputs reads freed memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *word = malloc(20);
    strcpy(word, "hello");
    free(word);
    fputs(word, stdout); // EXPECT: use-of-dead-provenance
    return 0;
}
