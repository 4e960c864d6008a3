// What alloca made in a loop is gone when its function has returned.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

struct node {
    struct node *next;
    int value;
};

__attribute__((noinline)) static struct node *list(int count)
{
    struct node *first = 0;
    for (int i = 0; i < count; i++) {
        struct node *made = __builtin_alloca(sizeof *made);
        made->next = first;
        made->value = i;
        first = made;
    }
    int sum = 0;
    for (struct node *at = first; at; at = at->next)
        sum += at->value;
    printf("%d\n", sum);
    return first;
}

int main(void)
{
    volatile int count = 5;
    struct node *gone = list(count);
    printf("%d\n", gone->value); // EXPECT: use-of-dead-provenance read 4
    return 0;
}
