// Wide formats with all that an argument may be.
// STDOUT: 1  2.50   a title abc%
// STDOUT: (12, ab) 7
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t *title = malloc(8 * sizeof *title);
    wchar_t line[32];
    char end[3] = {'a', 'b', 'c'};
    int n_written = 0;
    wcscpy(title, L"a title");
    wprintf(L"%d %5.2f %*ls %.3s%%\n", 1, 2.5, 9, title, end);
    int n = swprintf(line, 32, L"(%ld, %.*s)%n", 12L, 2, end, &n_written);
    wprintf(L"%ls %d\n", line, n_written - (n - 7));
    free(title);
    return 0;
}
