// swprintf is told of more room than there is, and fills it when the text does not fit.
// NATIVE: miss wide formats are not intercepted
#include <stdlib.h>
#include <stdio.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    wchar_t *line = malloc(8 * sizeof *line); // ALLOCATED
    swprintf(line, 11u + argc, L"%s", "it does not fit in"); // EXPECT: heap-buffer-overflow write
    free(line);
    return 0;
}
