// A wide string without its final zero is compared with the string that it begins.
// NATIVE: miss wcscmp is not intercepted there
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    wchar_t *word = malloc(3 * sizeof(wchar_t)); // ALLOCATED
    for (int i = 0; i < 3; i++) word[i] = (wchar_t)(L'a' + i);
    int order = wcscmp(word, argc > 5 ? L"x" : L"abc"); // EXPECT: heap-buffer-overflow read 16
    printf("%d\n", order);
    free(word);
    return 0;
}
