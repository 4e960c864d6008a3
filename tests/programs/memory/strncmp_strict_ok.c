// One name has no end, and none before the limit either: that is fine, strictly, too.
// FLAGS: ASAN_OPTIONS=strict_string_checks=1
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *name = malloc(4);
    memcpy(name, "open", 4);
    const char *other = argc > 5 ? argv[1] : "closed";
    int order = strncmp(name, other, 4);
    printf("%d\n", order > 0);
    free(name);
    return 0;
}
