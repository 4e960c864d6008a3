// An intrusive list: what is kept points into the middle of each element.
// EXIT: 0
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *volatile next;
};

struct element {
    long value;
    struct link link;
};

static struct link *volatile head;

static void push(long value) {
    struct element *element = malloc(sizeof *element);
    element->value = value;
    element->link.next = head;
    head = &element->link;
}

int main(void) {
    for (long i = 0; i < 100; i++) push(i);
    long sum = 0;
    for (struct link *link = head; link; link = link->next) {
        sum += ((struct element *)((char *)link - offsetof(struct element, link)))->value;
    }
    return sum != 4950;
}
