// The twin of qsort_use_after_free: all records live while they are sorted.
// STDOUT: 1 2 3 4
#include <stdio.h>
#include <stdlib.h>

struct record {
    volatile int key;
};

static int by_key(const void *left, const void *right) {
    const struct record *const *a = left, *const *b = right;
    int left_key = (*a)->key, right_key = (*b)->key;
    return (left_key > right_key) - (left_key < right_key);
}

int main(void) {
    struct record *records[4];
    for (int i = 0; i < 4; i++) {
        records[i] = malloc(sizeof *records[i]);
        if (!records[i]) return 1;
        records[i]->key = 4 - i;
    }
    qsort(records, 4, sizeof records[0], by_key);
    printf("%d %d %d %d\n", records[0]->key, records[1]->key, records[2]->key, records[3]->key);
    for (int i = 0; i < 4; i++) free(records[i]);
    return 0;
}
