// A pointer that went through a structure in memory still belongs to its object.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

struct view {
    char *data;
    size_t size;
};

__attribute__((noinline)) static char look(const struct view *view, long index)
{
    return view->data[index]; // EXPECT: access-outside-provenance read 1
}

int main(void)
{
    struct view *view = malloc(sizeof *view);
    char *other = calloc(1, 5000);
    view->data = malloc(16); // ALLOCATED
    view->data[0] = 1;
    volatile long distance = other + 2000 - view->data;
    printf("%d\n", look(view, distance));
    free(view->data);
    free(view);
    free(other);
    return 0;
}
