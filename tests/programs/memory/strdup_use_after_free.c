// A word from strdup is freed and then looked at.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const volatile char *volatile current;

int main(int argc, char **argv) {
    (void)argv;
    const char *words[] = {"", "word"};
    char *copy = strdup(words[argc]); // ALLOCATED
    if (!copy) return 1;
    current = copy;
    free(copy); // FREED
    char initial = current[0]; // EXPECT: heap-use-after-free read 1
    printf("%c\n", initial);
    return 0;
}
