// The twin of strdup_use_after_free, with strndup for good measure.
// STDOUT: w wo
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const volatile char *volatile current;

int main(int argc, char **argv) {
    (void)argv;
    const char *words[] = {"", "word"};
    char *copy = strdup(words[argc]);
    char *start = strndup(words[argc], 2);
    if (!copy || !start) return 1;
    current = copy;
    char initial = current[0];
    printf("%c %s\n", initial, start);
    free(copy);
    free(start);
    return 0;
}
