// Addresses that are used only while their functions run, in a deep recursion.
// STDOUT: 500500
#include <stdio.h>

struct node { int value; struct node *next; };

__attribute__((noinline)) static int sum(struct node *all) {
    int total = 0;
    for (; all; all = all->next)
        total += all->value;
    return total;
}

__attribute__((noinline)) static int build(struct node *behind, int count) {
    struct node mine = {count, behind};
    return count == 1 ? sum(&mine) : build(&mine, count - 1);
}

int main(void) {
    printf("%d\n", build(0, 1000));
    return 0;
}
