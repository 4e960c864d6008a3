// qsort calls back a comparison that follows a pointer to a freed record.
#include <stdio.h>
#include <stdlib.h>

struct record {
    volatile int key;
};

static int by_key(const void *left, const void *right) {
    const struct record *const *a = left, *const *b = right;
    int left_key = (*a)->key, right_key = (*b)->key; // EXPECT: heap-use-after-free read 4
    return (left_key > right_key) - (left_key < right_key);
}

int main(void) {
    struct record *records[4];
    for (int i = 0; i < 4; i++) {
        records[i] = malloc(sizeof *records[i]); // ALLOCATED
        if (!records[i]) return 1;
        records[i]->key = 4 - i;
    }
    free(records[2]); // FREED
    qsort(records, 4, sizeof records[0], by_key);
    printf("%d\n", records[0]->key);
    return 0;
}
