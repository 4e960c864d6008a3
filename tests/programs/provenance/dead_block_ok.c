// Many blocks at the same addresses, each used by its own pointer.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

struct list {
    struct list *next;
    int value;
};

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 100; round++) {
        struct list *all = 0;
        for (int i = 0; i < 10; i++) {
            struct list *one = malloc(sizeof *one);
            one->next = all;
            one->value = i;
            all = one;
        }
        while (all) {
            struct list *next = all->next;
            sum += all->value;
            free(all);
            all = next;
        }
    }
    printf("%d\n", sum);
    return 0;
}
