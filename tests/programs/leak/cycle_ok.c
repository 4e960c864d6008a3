// A ring that is reached from one global.
// EXIT: 0
#include <stdlib.h>

struct node {
    struct node *volatile next;
};

static struct node *volatile ring;

int main(void) {
    struct node *first = malloc(sizeof *first);
    struct node *last = first;
    for (int i = 0; i < 9; i++) {
        last->next = malloc(sizeof *last);
        last = last->next;
    }
    last->next = first;
    ring = last;
    return 0;
}
