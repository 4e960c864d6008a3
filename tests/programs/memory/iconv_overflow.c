// iconv is told of more room than the block has.
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[] = "abc", *from = text;
    char *made = malloc(8), *to = made; // ALLOCATED
    size_t n_from = 3, n_to = 16;
    iconv_t converter = iconv_open("UTF-32LE", "UTF-8");
    size_t left = iconv( // EXPECT: heap-buffer-overflow write 12
        converter, &from, &n_from, &to, &n_to);
    printf("%zu\n", left);
    iconv_close(converter);
    free(made);
    return 0;
}
