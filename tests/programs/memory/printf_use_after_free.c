// A freed string is one argument of printf among others.
// NATIVE: skip the frame on top is one of its own library, printf_common
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile title;

int main(void) {
    title = malloc(32); // ALLOCATED
    if (!title) return 1;
    strcpy(title, "a title");
    free(title); // FREED
    printf("%d %5.2f [%s] %c\n", 1, 2.5, title, 'c'); // EXPECT: heap-use-after-free read
    return 0;
}
