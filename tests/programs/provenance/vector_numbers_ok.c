// Pointers that are read as vectors of numbers: whoever calculates with them has an address.
// NATIVE: skip no native tool follows pointers
// STDOUT: 4 7 5 36
// EXIT: 0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t pair_t __attribute__((vector_size(16)));
typedef uint64_t four_t __attribute__((vector_size(32)));

__attribute__((noinline)) static void copy(uint64_t *to, const uint64_t *from, long count)
{
    for (long i = 0; i < count; i++)
        to[i] = from[i];
}

__attribute__((noinline)) static void mark(uint64_t *to, const uint64_t *from, long count)
{
    for (long i = 0; i < count; i++)
        to[i] = from[i] | 1;
}

static long sum(uint64_t *numbers, long count)
{
    long all = 0;
    for (long i = 0; i < count; i++)
        all += *(long *)(numbers[i] & ~UINT64_C(1));
    return all;
}

int main(void)
{
    long *blocks[8];
    uint64_t copied[8], marked[8];
    for (long i = 0; i < 8; i++) {
        blocks[i] = malloc(sizeof(long));
        *blocks[i] = i + 1;
    }
    pair_t two;
    memcpy(&two, &blocks[2], sizeof two);
    two += 0 * two;
    printf("%ld", *(long *)two[1]);
    four_t four;
    memcpy(&four, &blocks[4], sizeof four);
    four_t other = four ^ (four_t){1, 2, 3, 4};
    printf(" %ld", *(long *)(other[2] ^ 3));
    unsigned __int128 wide;
    memcpy(&wide, &blocks[4], sizeof wide);
    wide += 1;
    printf(" %ld", *(long *)(uint64_t)(wide - 1));
    copy(copied, (uint64_t *)blocks, 8);
    mark(marked, copied, 8);
    printf(" %ld\n", sum(marked, 8));
    for (long i = 0; i < 8; i++)
        free(blocks[i]);
    return 0;
}
