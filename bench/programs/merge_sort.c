// Merge sort by recursion with qsort's sort of call: a pointer to a function compares records.
// SIZE: default 60, smoke 4
// THREADS: 1, 4
#include "work.h"

#include <string.h>

#define RECORDS 40000

struct record {
    uint32_t key;
    uint32_t place;
};

typedef int (*comparison)(const struct record *, const struct record *);

static int by_key(const struct record *a, const struct record *b) {
    return a->key < b->key ? -1 : a->key > b->key;
}

static int by_place(const struct record *a, const struct record *b) {
    return a->place < b->place ? -1 : a->place > b->place;
}

static void sort(struct record *records, struct record *room, int n, comparison compare) {
    if (n < 2) return;
    int half = n / 2, left = 0, right = half, to = 0;
    sort(records, room, half, compare);
    sort(records + half, room, n - half, compare);
    while (left < half && right < n) {
        int first = compare(&records[right], &records[left]) < 0 ? right++ : left++;
        room[to++] = records[first];
    }
    while (left < half) room[to++] = records[left++];
    memcpy(records, room, (size_t)to * sizeof *records);
}

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    struct record *records = malloc(RECORDS * sizeof *records);
    struct record *room = malloc(RECORDS * sizeof *room);
    if (!records || !room) exit(1);
    for (uint32_t i = 0; i < RECORDS; i++) {
        records[i].key = (uint32_t)next_random(&random);
        records[i].place = i;
    }
    unsigned long sum = 0;
    for (long round = 0; round < size; round++) {
        sort(records, room, RECORDS, round & 1 ? by_place : by_key);
        sum += records[RECORDS / 3].place;
    }
    free(records);
    free(room);
    return sum;
}

int main(int argc, char **argv) {
    return run_all("merge_sort", argc > 1 ? atol(argv[1]) : 24);
}
