// The twin of wcstol_unterminated: a blank ends the number.
// STDOUT: 123
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t *digits = malloc(4 * sizeof(wchar_t));
    wmemcpy(digits, L"123 ", 4);
    long number = wcstol(digits, NULL, 10);
    printf("%ld\n", number);
    free(digits);
    return 0;
}
