// Four letters without an end are searched for a fifth one, which lies in another block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char *word = malloc(4); // ALLOCATED
    memcpy(word, "abcd", 4);
    char *found = strchr(word, argc > 5 ? 'a' : 'x'); // EXPECT: heap-buffer-overflow read 5
    printf("%d\n", found != NULL);
    free(word);
    return 0;
}
