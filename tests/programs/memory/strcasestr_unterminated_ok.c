// The twin of strcasestr_unterminated: the text has its end.
// STDOUT: missing
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *strcasestr(const char *, const char *);

int main(void) {
    char *text = malloc(6);
    memcpy(text, "Hello", 6);
    const char *found = strcasestr(text, "WORLD");
    puts(found ? "found" : "missing");
    free(text);
    return 0;
}
