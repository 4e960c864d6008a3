// Structures are copied, by memcpy and by assignment, and bring their pointers' objects along.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    long before;
    int *values;
    long behind;
};

__attribute__((noinline)) static void copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
}

int main(void)
{
    struct node first = {1, malloc(40), 2}, second, *third = malloc(sizeof *third);
    int *other = malloc(8000);
    other[1000] = first.values[0] = 3;
    copy(&second, &first, sizeof second);
    *third = second;
    volatile long distance = other - third->values;
    printf("%d\n", third->values[0]);
    printf("%d\n", third->values[distance + 1000]); // EXPECT: access-outside-provenance read 4
    free(other);
    free(first.values);
    free(third);
    return 0;
}
