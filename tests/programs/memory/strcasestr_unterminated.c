// strcasestr looks for a word in a text that does not end within its block.
// NATIVE: miss the top frame of its report is a helper of the runtime
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *strcasestr(const char *, const char *);

int main(void) {
    char *text = malloc(5); // ALLOCATED
    memcpy(text, "Hello", 5);
    const char *found = strcasestr(text, "WORLD"); // EXPECT: heap-buffer-overflow read
    puts(found ? "found" : "missing");
    free(text);
    return 0;
}
