// printf reads freed memory: with one conversion among others, and where the block lives again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char *word = malloc(20);
    strcpy(word, "hello");
    char *kept = argc > 5 ? NULL : word;
    free(word);
    printf("%5.2f %d%% %s %d\n", 1.5, argc, kept, 2); // EXPECT: use-of-dead-provenance
    return 0;
}
