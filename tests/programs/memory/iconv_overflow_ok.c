// The twin of iconv_overflow.
// STDOUT: 0
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[] = "abc", *from = text;
    char *made = malloc(16), *to = made;
    size_t n_from = 3, n_to = 16;
    iconv_t converter = iconv_open("UTF-32LE", "UTF-8");
    size_t left = iconv(converter, &from, &n_from, &to, &n_to);
    printf("%zu\n", left);
    iconv_close(converter);
    free(made);
    return 0;
}
