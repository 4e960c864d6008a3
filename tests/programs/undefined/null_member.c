// Members of a structure that is not there: only their addresses are taken.
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

struct node *volatile nowhere;
int *volatile place;

int main(void) {
    struct node *node = nowhere;
    place = &node->value; // EXPECT: null-pointer-use
    node = nowhere;
    place = (int *)&node->next; // EXPECT: null-pointer-use
    return 0;
}
