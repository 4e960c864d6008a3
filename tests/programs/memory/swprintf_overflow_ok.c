// The twin of swprintf_overflow: the text fits, with its end.
// STDOUT: 4
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    wchar_t *text = malloc(5 * sizeof(wchar_t));
    int length = swprintf(text, 5, L"%d", 1233 + argc);
    printf("%d\n", length);
    free(text);
    return 0;
}
