// strlen without the terminator: the copied name needs one byte more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *name) {
    char *copy = malloc(strlen(name)); // ALLOCATED
    if (!copy) exit(1);
    strcpy(copy, name); // EXPECT: heap-buffer-overflow write 16
    return copy;
}

int main(int argc, char **argv) {
    (void)argv;
    const char *names[] = {"none", "fifteen letters"};
    char *copy = copy_of(names[argc]);
    puts(copy);
    free(copy);
    return 0;
}
