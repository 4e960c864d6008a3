// Pointers of a stack without locks: loaded, compared and exchanged, they keep their objects.
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long values[2];
};

static _Atomic(struct node *) head;

static void push(struct node *node)
{
    struct node *old = atomic_load(&head);
    do
        node->next = old;
    while (!atomic_compare_exchange_weak(&head, &old, node));
}

static struct node *pop(void)
{
    struct node *old = atomic_load(&head);
    while (old && !atomic_compare_exchange_weak(&head, &old, old->next))
        ;
    return old;
}

int main(void)
{
    long *big = calloc(1000, sizeof(long));
    for (int i = 0; i < 4; i++) {
        struct node *node = calloc(1, sizeof(struct node));
        node->values[0] = i;
        push(node);
    }
    struct node *first = pop();
    volatile long far = big - first->values + 100;
    printf("%ld\n", first->values[0]);
    printf("%ld\n", first->values[far]); // EXPECT: access-outside-provenance read 8
    struct node *rest = atomic_exchange(&head, (struct node *)0);
    far = big - rest->values + 100;
    printf("%ld\n", rest->values[0]);
    printf("%ld\n", rest->values[far]); // EXPECT: access-outside-provenance read 8
    atomic_store_explicit(&head, rest->next, memory_order_release);
    struct node *last = atomic_load_explicit(&head, memory_order_acquire);
    far = big - last->values + 100;
    printf("%ld\n", last->values[far]); // EXPECT: access-outside-provenance read 8
    long *block = calloc(4, sizeof(long));
    _Atomic(long *) moving = block;
    far = big - block + 100;
    atomic_fetch_add(&moving, 2);
    long *moved = atomic_load(&moving);
    printf("%ld\n", moved[1]);
    printf("%ld\n", moved[far]); // EXPECT: access-outside-provenance read 8
    return 0;
}
