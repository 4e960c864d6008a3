// Two blocks that point to each other: each is lost through the other, as natively.
// NATIVE: miss at -O0 a stale word on the stack hides some of it
#include <stdlib.h>

struct node {
    struct node *volatile other;
};

static void lose(void) {
    struct node *first = malloc(sizeof *first); // EXPECT: indirect-leak 8
    struct node *second = malloc(sizeof *second + 8); // EXPECT: indirect-leak 16
    first->other = second;
    second->other = first;
}

int main(void) {
    lose();
    return 0;
}
