// Pointers kept outside of their objects, as windows and arrays that begin at 1 are.
// EXIT: 0
#include <stdio.h>
#include <stdlib.h>

struct Window {
    char *base;
};

__attribute__((noinline)) static void set_window(struct Window *window, char *source, long by) {
    window->base = source - by;
}

__attribute__((noinline)) static char byte_at(struct Window *window, long index) {
    return window->base[index];
}

__attribute__((noinline)) static int *numbered_from(int *cells, long first) {
    return cells - first;
}

int main(int argc, char **argv) {
    char *other = malloc(100000), *source = calloc(100000, 1);
    if (!other || !source) return 1;
    source[7] = 'x';
    struct Window *window = malloc(sizeof *window);
    long before = source - other - 50000 * argc; // the base lies in the middle of `other`
    set_window(window, source, before);
    printf("%c\n", byte_at(window, before + 7));

    int *cells = malloc(100 * sizeof *cells);
    long first = ((char *)cells - source) / (long)sizeof *cells - argc;
    int *numbered = numbered_from(cells, first);
    numbered[first + 99] = 1;
    printf("%d\n", numbered[first + 99]);
    free(window);
    free(other);
    free(source);
    free(cells);
    (void)argv;
    return 0;
}
