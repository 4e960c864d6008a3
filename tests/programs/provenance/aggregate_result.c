// A pointer in a structure that a function returns by value belongs to its object.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

struct view {
    char *data;
    char *end;
};

__attribute__((noinline)) static struct view make(char *data, size_t size)
{
    struct view view = {data, data + size};
    return view;
}

int main(void)
{
    char *first = malloc(16); // ALLOCATED
    char *other = calloc(1, 5000);
    volatile long distance = other + 2000 - first;
    struct view view = make(first, 16);
    view.end[-1] = 1;
    printf("%d\n", view.end[distance]); // EXPECT: access-outside-provenance read 1
    free(first);
    free(other);
    return 0;
}
