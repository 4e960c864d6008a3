// A list is lost: its head is the leak, the rest is lost with it.
// NATIVE: miss at -O0 a stale word on the stack hides some of it
#include <stdlib.h>

struct node {
    struct node *volatile next;
    long value;
};

static struct node *push(struct node *next) {
    struct node *node = malloc(sizeof *node); // EXPECT: direct-leak 16 // EXPECT: indirect-leak
    node->next = next;
    return node;
}

static void lose(void) {
    push(push(push(NULL)));
}

int main(void) {
    lose();
    return 0;
}
