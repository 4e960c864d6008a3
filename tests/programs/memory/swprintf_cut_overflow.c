// swprintf is told of more room than there is, and fills it when the text does not fit.
// NATIVE: miss wide formats are not intercepted
#include <stdlib.h>
#include <stdio.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    wchar_t *line = malloc(8 * sizeof *line); // ALLOCATED
    swprintf(line, (size_t)argc + 11, L"%s %s", "a line that", "does not fit"); // EXPECT: heap-buffer-overflow write
    free(line);
    return 0;
}
