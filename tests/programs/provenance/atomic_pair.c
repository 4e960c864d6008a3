// Pointers beside a count, exchanged 16 bytes at a time, keep their objects.
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// CFLAGS: -mcx16
// NATIVE: skip no native tool follows pointers
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long values[2];
};

typedef struct {
    struct node *top;
    uintptr_t count;
} head_t;

static _Atomic head_t head;

static void push(struct node *node)
{
    head_t old = atomic_load(&head), new;
    do {
        node->next = old.top;
        new.top = node;
        new.count = old.count + 1;
    } while (!atomic_compare_exchange_weak(&head, &old, new));
}

static struct node *pop(void)
{
    head_t old = atomic_load(&head), new;
    do {
        if (!old.top)
            return NULL;
        new.top = old.top->next;
        new.count = old.count + 1;
    } while (!atomic_compare_exchange_weak(&head, &old, new));
    return old.top;
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
    head_t empty = {NULL, 0};
    head_t rest = atomic_exchange(&head, empty);
    far = big - rest.top->values + 100;
    printf("%ld %lu\n", rest.top->values[0], (unsigned long)rest.count);
    printf("%ld\n", rest.top->values[far]); // EXPECT: access-outside-provenance read 8
    atomic_store(&head, rest);
    free(pop());
    struct node *volatile new = malloc(sizeof(struct node));
    new->values[0] = 7;
    printf("%ld\n", rest.top->values[0]); // EXPECT: use-of-dead-provenance read 8
    return 0;
}
