// printf of a word that is still there.
// FLAGS: ASAN_OPTIONS=replace_str=0:intercept_strlen=0:replace_intrin=0
// STDOUT: hello 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *word = malloc(6);
    memcpy(word, "hello", 6);
    printf("%s %d\n", word, 1);
    free(word);
    return 0;
}
