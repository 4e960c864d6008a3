// The twin of list_use_after_free: the next pointer is saved first.
// STDOUT: 3
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *volatile next;
};

static struct node *push(struct node *head, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    node->value = value;
    node->next = head;
    return node;
}

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) head = push(head, i);
    int freed = 0;
    for (struct node *node = head, *next; node; node = next) {
        next = node->next;
        free(node);
        freed += 1;
    }
    printf("%d\n", freed);
    return 0;
}
