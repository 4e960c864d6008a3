// Pointer chasing: walks along one cycle through 64,000 records in random order, which all read.
// SIZE: default 8000, smoke 100
// THREADS: 1, 4
#include "work.h"

#define RECORDS 64000

struct record {
    struct record *next;
    int key;
    int weight;
};

static struct record *records[RECORDS];

static unsigned long work(int self, long size) {
    const struct record *at = records[self * 1000];
    unsigned long sum = 0;
    for (long step = size * 1000; step > 0; step--) {
        if (at->key & 1) sum += at->weight;
        at = at->next;
    }
    return sum;
}

int main(int argc, char **argv) {
    uint64_t random = seed_of(0);
    for (int i = 0; i < RECORDS; i++) {
        struct record *record = malloc(sizeof *record);
        if (!record) return 1;
        record->key = i;
        record->weight = (int)(next_random(&random) % 100);
        records[i] = record;
    }
    for (int i = RECORDS - 1; i > 0; i--) {
        int other = (int)(next_random(&random) % (uint64_t)(i + 1));
        struct record *kept = records[i];
        records[i] = records[other];
        records[other] = kept;
    }
    for (int i = 0; i < RECORDS; i++) records[i]->next = records[(i + 1) % RECORDS];
    int status = run_all("pointer_chase", argc > 1 ? atol(argv[1]) : 8000);
    for (int i = 0; i < RECORDS; i++) free(records[i]);
    return status;
}
