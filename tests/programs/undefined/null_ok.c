// Null pointers that are compared, passed on and freed, and pointers that are not null.
// EXIT: 0
#include <stddef.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct node *volatile nowhere;
volatile int sink;

int main(void) {
    struct node here = {nowhere, 3};
    struct node *volatile at = &here;
    sink = at->value + (int)offsetof(struct node, value);
    for (struct node *node = at; node; node = node->next) sink++;
    free(nowhere);
    return nowhere == &here;
}
