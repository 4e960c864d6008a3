// printf is checked by check_printf, whatever replace_str says.
// NATIVE: miss the top frame of its report is a helper of the runtime
// FLAGS: ASAN_OPTIONS=replace_str=0:intercept_strlen=0:replace_intrin=0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *word = malloc(6); // ALLOCATED
    memcpy(word, "hello", 6);
    free(word);              // FREED
    printf("%s %d\n", word, 1); // EXPECT: heap-use-after-free read
    return 0;
}
