// The twin of bad_free_stack: only what came from malloc is freed.
// STDOUT: fits
// STDOUT: does not fit
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char *text) {
    char small[8];
    char *volatile buffer = small;
    if (strlen(text) >= sizeof small) buffer = malloc(strlen(text) + 1);
    if (!buffer) exit(1);
    strcpy(buffer, text);
    puts(buffer);
    if (buffer != small) free(buffer);
}

int main(void) {
    show("fits");
    show("does not fit");
    return 0;
}
