// Two pointers that optimisers copy as one vector keep their objects.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

struct pair {
    char *first;
    char *second;
};

__attribute__((noinline)) static void copy(struct pair *to, const struct pair *from)
{
    char *first = from->first, *second = from->second;
    to->first = first;
    to->second = second;
}

int main(void)
{
    struct pair *from = malloc(sizeof *from), *to = malloc(sizeof *to);
    from->first = malloc(16);
    from->second = malloc(16); // ALLOCATED
    copy(to, from);
    volatile long distance = from->first - to->second;
    to->first[3] = 1;
    printf("%d\n", to->second[distance + 3]); // EXPECT: access-outside-provenance read 1
    free(from->first);
    free(from->second);
    free(from);
    free(to);
    return 0;
}
