// The block's memory was given to another one: no shadow of memory sees the old pointer.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *volatile old = malloc(48); // ALLOCATED
    *old = 1;
    free(old); // FREED
    int *volatile fresh = 0;
    for (int i = 0; i < 100000 && fresh != old; i++)
        fresh = malloc(48);
    *fresh = 2;
    printf("%d\n", *old); // EXPECT: use-of-dead-provenance read 4
    return 0;
}
