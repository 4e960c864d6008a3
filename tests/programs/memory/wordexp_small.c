// wordexp fills a wordexp_t, of which the block has room for two thirds.
// NATIVE: skip it looks at the structure behind the call, which has stumbled over it by then
#include <stdio.h>
#include <stdlib.h>
#include <wordexp.h>

int main(void) {
    wordexp_t *words = malloc(sizeof *words - 8); // ALLOCATED
    int status = wordexp("a b", words, 0); // EXPECT: heap-buffer-overflow write 24
    printf("%d\n", status);
    free(words);
    return 0;
}
