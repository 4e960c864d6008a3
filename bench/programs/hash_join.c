// Hash join: rows of one table are hashed into chains, rows of the other look for their partners.
// SIZE: default 160, smoke 4
// THREADS: 1, 4
#include "work.h"

#define BUILT 20000
#define PROBED 60000
#define BUCKETS 16384

struct row {
    uint32_t key;
    int32_t amount;
    struct row *next;
};

static struct row built[BUILT];
static struct row probed[PROBED];
static struct row *buckets[BUCKETS];

static uint32_t bucket_of(uint32_t key) { return key * 2654435761u >> 18; }

static unsigned long work(int self, long size) {
    unsigned long sum = 0;
    for (long round = 0; round < size; round++) {
        for (int i = 0; i < PROBED; i++) {
            const struct row *row = &probed[i];
            for (const struct row *at = buckets[bucket_of(row->key)]; at; at = at->next)
                if (at->key == row->key) sum += (unsigned long)(at->amount ^ row->amount ^ self);
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    uint64_t random = seed_of(0);
    for (int i = 0; i < BUILT; i++) {
        uint64_t drawn = next_random(&random);
        struct row *row = &built[i], **bucket;
        row->key = (uint32_t)(drawn % 30000);
        row->amount = (int32_t)(drawn >> 50);
        bucket = &buckets[bucket_of(row->key)];
        row->next = *bucket;
        *bucket = row;
    }
    for (int i = 0; i < PROBED; i++) {
        uint64_t drawn = next_random(&random);
        probed[i].key = (uint32_t)(drawn % 30000);
        probed[i].amount = (int32_t)(drawn >> 50);
    }
    return run_all("hash_join", argc > 1 ? atol(argv[1]) : 48);
}
