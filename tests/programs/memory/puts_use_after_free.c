// A freed string reaches libc: puts measures it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile title;

int main(void) {
    title = malloc(32); // ALLOCATED
    if (!title) return 1;
    strcpy(title, "a title");
    free(title); // FREED
    puts(title); // EXPECT: heap-use-after-free read
    return 0;
}
