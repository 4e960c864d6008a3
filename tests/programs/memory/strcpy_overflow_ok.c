// The twin of strcpy_overflow: the terminator has its byte.
// STDOUT: fifteen letters
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *name) {
    char *copy = malloc(strlen(name) + 1);
    if (!copy) exit(1);
    strcpy(copy, name);
    return copy;
}

int main(int argc, char **argv) {
    (void)argv;
    const char *names[] = {"none", "fifteen letters"};
    char *copy = copy_of(names[argc]);
    puts(copy);
    free(copy);
    return 0;
}
