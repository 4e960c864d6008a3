// Freeing a list while walking it: the next pointer is read from the node just freed.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *volatile next;
};

static struct node *push(struct node *head, int value) {
    struct node *node = malloc(sizeof *node); // ALLOCATED
    if (!node) exit(1);
    node->value = value;
    node->next = head;
    return node;
}

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) head = push(head, i);
    int freed = 0;
    for (struct node *node = head; node;
         node = node->next) { // EXPECT: heap-use-after-free read 8
        free(node); // FREED
        freed += 1;
    }
    printf("%d\n", freed);
    return 0;
}
