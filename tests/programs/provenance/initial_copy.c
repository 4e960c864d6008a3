// A local structure is a copy of an initial value that holds a pointer.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

struct view {
    const char *text;
    int *data;
    long more[6];
};

static int small[4] = {1};
static int large[1000] = {2};

__attribute__((noinline)) static int use(struct view *view, long index)
{
    return view->data[index]; // EXPECT: access-outside-provenance read 4
}

int main(void)
{
    struct view view = {"small", small, {1, 2, 3, 4, 5, 6}};
    volatile long distance = large - small;
    printf("%s %d\n", view.text, use(&view, 3));
    printf("%d\n", use(&view, distance));
    return 0;
}
