// strcpy that shifts a string to the right inside its own buffer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile line;

int main(int argc, char **argv) {
    (void)argv;
    line = malloc(32);
    if (!line) return 1;
    strcpy(line, "indent me");
    strcpy(line + argc, line); // EXPECT: strcpy-param-overlap
    puts(line);
    free(line);
    return 0;
}
