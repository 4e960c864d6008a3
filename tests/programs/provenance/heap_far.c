// An index that jumps over every redzone, into another living block.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *first = malloc(40); // ALLOCATED
    int *second = malloc(4000);
    second[500] = 7;
    volatile long distance = second - first;
    first[distance + 500] = 8; // EXPECT: access-outside-provenance write 4
    printf("%d\n", second[500]);
    free(first);
    free(second);
    return 0;
}
