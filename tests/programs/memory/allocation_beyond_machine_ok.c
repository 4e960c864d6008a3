// The program knows what to do when there is no memory: malloc, calloc and realloc say so.
// FLAGS: ASAN_OPTIONS=allocator_may_return_null=1
// NATIVE: skip its own messages stand between
// STDOUT: 0 12
// STDOUT: 0 12
// STDOUT: 0 12 7
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t too_much = (size_t)argc << 39;
    void *volatile got = malloc(too_much);
    printf("%d %d\n", got != NULL, errno);
    errno = 0;
    got = calloc(too_much >> 3, 8);
    printf("%d %d\n", got != NULL, errno);
    errno = 0;
    char *small = malloc(1);
    small[0] = 7;
    got = realloc(small, too_much);
    printf("%d %d %d\n", got != NULL, errno, small[0]);
    free(small);
    return 0;
}
