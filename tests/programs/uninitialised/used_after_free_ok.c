// What native code has written is looked at when it is loaded: by the time it is used the memory
// may be freed, or written by the program.
// STDOUT: 3 nodes, 1 7
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next, *previous;
    long value;
};

static long take_next(struct node **at, void *other) { // loaded, the node freed, then used
    struct node *next = (*at)->next;
    free(*at);
    *at = other == *at ? 0 : next;
    return next != 0;
}

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *one = malloc(sizeof *one);
        insque(one, head); // native: nobody tells that it writes
        if (!head)
            head = one;
    }
    struct node *second = head->next;
    head->next->previous = 0; // loaded first, written here, used behind
    int count = 0;
    for (struct node *at = head; at; count++)
        take_next(&at, 0);
    struct node *last = malloc(sizeof *last);
    insque(last, 0);
    long *words = (long *)last;
    words[0]++; // goes back where it came from
    printf("%d nodes, %ld %d\n", count, words[0], second ? 7 : 8);
    free(last);
}
