// A wide number whose digits go to the end of its block.
// NATIVE: miss no interceptor of wcstol
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t *digits = malloc(3 * sizeof(wchar_t)); // ALLOCATED
    wmemcpy(digits, L"123 ", 3);
    long number = wcstol(digits, NULL, 10); // EXPECT: heap-buffer-overflow read 16
    printf("%ld\n", number);
    free(digits);
    return 0;
}
