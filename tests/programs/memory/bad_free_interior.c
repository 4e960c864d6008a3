// free of a pointer that was moved on while parsing.
#include <stdlib.h>
#include <string.h>

static char *volatile cursor;

int main(void) {
    cursor = malloc(32); // ALLOCATED
    if (!cursor) return 1;
    strcpy(cursor, "  text");
    while (*cursor == ' ') cursor++;
    free(cursor); // EXPECT: bad-free
    return 0;
}
