// A structure in an array of structures holds the pointer that leaves its object.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>

struct entry {
    const char *name;
    struct {
        short count;
        long *values;
    } list;
};

static long few[2] = {1, 2};
static long many[500] = {3, 4};
static struct entry entries[] = {{"few", {2, few}}, {"many", {500, many}}};

__attribute__((noinline)) static long value(const struct entry *entry, long index)
{
    return entry->list.values[index]; // EXPECT: access-outside-provenance read 8
}

int main(void)
{
    volatile long distance = many - few;
    printf("%s %ld\n", entries[1].name, value(&entries[1], 499));
    printf("%s %ld\n", entries[0].name, value(&entries[0], distance + 1));
    return 0;
}
