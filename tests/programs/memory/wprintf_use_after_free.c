// A freed wide string is one argument of fwprintf among others.
// NATIVE: miss wide formats are not intercepted
#include <stdlib.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
    wchar_t *title = malloc(32 * sizeof *title); // ALLOCATED
    wcscpy(title, L"a title");
    free(title); // FREED
    fwprintf(stdout, L"%d %5.2f %*ls\n", 1, 2.5, 9, title); // EXPECT: heap-use-after-free read
    return 0;
}
