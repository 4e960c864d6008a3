// Pointers in packed structures: stored, copied to other distances from 8, and initial ones.
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) entry {
    char tag;
    long *data;
    short count;
};

#pragma pack(push, 4)
struct half {
    int count;
    long *data;
};
#pragma pack(pop)

static long table[4] = {1, 2, 3, 4};
static long other_table[1000];
static struct entry entries[3] = {{'a', table, 4}, {'b', table, 4}, {'c', table, 4}};

__attribute__((noinline)) static long at(struct entry *entry, long index)
{
    entry->tag = 'd';
    return entry->data[index];
}

int main(void)
{
    long *block = calloc(4, sizeof(long)), *big = calloc(1000, sizeof(long));
    struct entry *list = malloc(5 * sizeof(struct entry));
    for (int i = 0; i < 4; i++)
        list[i] = (struct entry){'x', i == 3 ? block : big, (short)i};
    memcpy(&list[4], &list[3], sizeof(struct entry));
    volatile long far = big - block + 100;
    printf("%ld\n", at(&list[2], 500) + at(&list[3], 3) + at(&list[4], 3) + at(&entries[1], 3));
    printf("%ld\n", list[3].data[far]); // EXPECT: access-outside-provenance read 8
    printf("%ld\n", list[4].data[far]); // EXPECT: access-outside-provenance read 8
    struct half *half = malloc(sizeof(struct half));
    half->data = block;
    half->count = (int)far;
    printf("%ld\n", half->data[half->count]); // EXPECT: access-outside-provenance read 8
    far = other_table - table + 100;
    printf("%ld\n", entries[2].data[far]); // EXPECT: access-outside-provenance read 8
    return 0;
}
