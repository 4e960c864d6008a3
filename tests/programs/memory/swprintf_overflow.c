// swprintf is told of one character more than there is.
// NATIVE: miss no interceptor of swprintf
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    wchar_t *text = malloc(4 * sizeof(wchar_t)); // ALLOCATED
    int length = swprintf(text, 5, L"%d", 1233 + argc); // EXPECT: heap-buffer-overflow write 20
    printf("%d\n", length);
    free(text);
    return 0;
}
