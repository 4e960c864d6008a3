// The twin of wcscmp_unterminated: the difference comes before the end.
// STDOUT: 1 -1 2 3
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    wchar_t *word = malloc(3 * sizeof(wchar_t));
    for (int i = 0; i < 3; i++) word[i] = (wchar_t)(L'a' + i);
    int order = wcscmp(word, argc > 5 ? L"x" : L"abb") > 0;
    int other = wcsncmp(word, argc > 5 ? L"x" : L"abd", 3) < 0;
    wchar_t *copy = malloc(4 * sizeof(wchar_t));
    size_t n_wide = mbstowcs(copy, "xyz", 4);
    printf("%d %d %td %zu\n", order, -other, wcsrchr(copy, L'z') - copy, n_wide);
    free(copy);
    free(word);
    return 0;
}
