// A container says that it ends where it cannot.
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_annotate_contiguous_container(
    const void *, const void *, const void *, const void *);

#define ANNOTATE __sanitizer_annotate_contiguous_container

int main(void) {
    char *items = calloc(1, 64);
    ANNOTATE(items, items + 64, items + 64, items + 20);
    ANNOTATE(items, items + 64, items + 20, items + 64);
    ANNOTATE( // EXPECT: bad-__sanitizer_annotate_contiguous_container
        items, items + 64, items + -1, items + 32);
    ANNOTATE(items, items + 64, items + 64, items + 64);
    printf("%d\n", items[0]);
    free(items);
    return 0;
}
