// The program knows what to do when there is no memory: malloc, calloc and realloc say so.
// FLAGS: ASAN_OPTIONS=allocator_may_return_null=1
// NATIVE: skip its own messages stand between
// STDOUT: 0 0 0 7
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t too_much = (size_t)argc << 39;
    void *volatile first = malloc(too_much), *volatile second = calloc(too_much >> 3, 8);
    char *small = malloc(1);
    if (!small) return 1;
    small[0] = 7;
    void *volatile third = realloc(small, too_much);
    printf("%d %d %d %d\n", first != NULL, second != NULL, third != NULL, small[0]);
    free(small);
    return 0;
}
