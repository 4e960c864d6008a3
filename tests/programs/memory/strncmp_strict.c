// The names differ at once, but one has no end before the limit: the strict check says so.
// FLAGS: ASAN_OPTIONS=strict_string_checks=1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *name = malloc(4); // ALLOCATED
    memcpy(name, "open", 4);
    const char *other = argc > 5 ? argv[1] : "closed";
    int order = strncmp(name, other, 100); // EXPECT: heap-buffer-overflow read 5
    printf("%d\n", order > 0);
    free(name);
    return 0;
}
