// Pointers in packed structures, moved by every distance: over themselves, sorted, in pieces.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
// NATIVE: skip no native tool follows pointers
// STDOUT: 45 45 499500 210 7
// EXIT: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) entry {
    char tag;
    long *data;
    int *other;
    short count;
};

static int compare(const void *one, const void *two)
{
    const struct entry *a = one, *b = two;
    return *a->data < *b->data ? -1 : *a->data > *b->data;
}

__attribute__((noinline)) static long sum(const struct entry *list, int count)
{
    long total = 0;
    for (int i = 0; i < count; i++)
        total += *list[i].data + *list[i].other - *list[i].other;
    return total;
}

static long shifted(void)
{
    unsigned char bytes[64] = {0};
    long values[21], total = 0;
    for (int i = 0; i < 21; i++) {
        long *pointer = &values[i];
        values[i] = i;
        memcpy(bytes + i, &pointer, sizeof pointer);
        for (int k = 0; k < 7; k++)
            memmove(bytes + i + 1 + k, bytes + i + k, sizeof pointer);
        long *again;
        memcpy(&again, bytes + i + 7, sizeof again);
        total += *again;
    }
    return total;
}

int main(void)
{
    struct entry *list = malloc(12 * sizeof(struct entry));
    int shared = 5;
    for (int i = 0; i < 10; i++) {
        long *data = malloc(sizeof(long));
        *data = (i * 7) % 10;
        list[i] = (struct entry){'x', data, &shared, 1};
    }
    qsort(list, 10, sizeof(struct entry), compare);
    long first = sum(list, 10);
    memmove(list + 2, list, 10 * sizeof(struct entry));
    memmove(list, list + 2, 10 * sizeof(struct entry));
    list = realloc(list, 40 * sizeof(struct entry));
    memcpy(list + 11, list, 10 * sizeof(struct entry));
    long second = sum(list + 11, 10), third = 0;
    for (long i = 0; i < 1000; i++) {
        long *fresh = malloc(sizeof(long));
        *fresh = i;
        memcpy((char *)&list[30] + 1, &fresh, sizeof fresh);
        third += *list[30].data;
        free(fresh);
    }
    struct entry copy = list[3], *at = &copy;
    long *moved = at->data;
    at->data = at->data - 1 + 1;
    printf("%ld %ld %ld %ld %ld\n", first, second, third, shifted(), *moved + *at->data + 1);
    return 0;
}
