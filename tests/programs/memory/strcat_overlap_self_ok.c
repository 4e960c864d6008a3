// The twin of strcat_overlap_self.
// STDOUT: bonbonbonbon
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile word;

int main(void) {
    word = malloc(32);
    char *volatile same = strdup("bonbon");
    memcpy(word, "bonbon", 7);
    strcat(word, same);
    puts(word);
    free(same);
    free(word);
    return 0;
}
