/* A name is copied into a block of whole eight-byte words. The terminator was forgotten, which goes
 * well for most names.
 *
 *     irsan run examples/off_by_one.c Ada
 *     irsan run examples/off_by_one.c Augustus
 *
 * What to see: nothing for the short name. For eight letters a heap-buffer-overflow write, 0 bytes
 * after an 8-byte region, reported at the call of strcpy and not somewhere in the C library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *padded_copy(const char *name) {
    size_t words = (strlen(name) + 7) / 8;
    char *copy = malloc(words * 8);
    if (!copy) exit(1);
    strcpy(copy, name);
    return copy;
}

int main(int argc, char **argv) {
    char *name = padded_copy(argc > 1 ? argv[1] : "Augustus");
    printf("hello, %s\n", name);
    free(name);
    return 0;
}
