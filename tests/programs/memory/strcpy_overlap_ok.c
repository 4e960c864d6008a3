// The twin of strcpy_overlap: memmove with the terminator.
// STDOUT: iindent me
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile line;

int main(int argc, char **argv) {
    (void)argv;
    line = malloc(32);
    if (!line) return 1;
    strcpy(line, "indent me");
    memmove(line + argc, line, strlen(line) + 1);
    puts(line);
    free(line);
    return 0;
}
