// The twin of bad_free_interior: the start is kept for free.
// STDOUT: text
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile cursor;

int main(void) {
    char *start = malloc(32);
    if (!start) return 1;
    strcpy(start, "  text");
    cursor = start;
    while (*cursor == ' ') cursor++;
    puts(cursor);
    free(start);
    return 0;
}
