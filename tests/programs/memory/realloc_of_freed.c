// realloc of a block that is already free.
#include <stdio.h>
#include <stdlib.h>

static void *volatile pool;

int main(void) {
    pool = malloc(16); // ALLOCATED
    free(pool); // FREED
    char *bigger = realloc(pool, 64); // EXPECT: double-free
    printf("%d\n", bigger != NULL);
    return 0;
}
