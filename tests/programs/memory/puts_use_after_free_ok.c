// The twin of puts_use_after_free.
// STDOUT: a title
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile title;

int main(void) {
    title = malloc(32);
    if (!title) return 1;
    strcpy(title, "a title");
    puts(title);
    free(title);
    return 0;
}
