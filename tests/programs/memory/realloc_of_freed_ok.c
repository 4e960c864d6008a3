// The twin of realloc_of_freed: realloc(NULL, n) is malloc(n).
// STDOUT: grown 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *volatile pool;

int main(void) {
    pool = malloc(16);
    free(pool);
    pool = NULL;
    char *bigger = realloc(pool, 64);
    if (!bigger) return 1;
    memset(bigger, 1, 64);
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += bigger[i];
    printf("grown %d\n", sum);
    free(bigger);
    return 0;
}
