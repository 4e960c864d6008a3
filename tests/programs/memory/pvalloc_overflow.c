// pvalloc of a size that cannot be rounded up to pages.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    void *volatile pages = pvalloc((size_t)-argc); // EXPECT: pvalloc-overflow
    printf("%d\n", pages != NULL);
    free(pages);
    return 0;
}
