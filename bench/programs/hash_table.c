// A chained hash table that grows: inserts, lookups, and removals of integer keys.
// SIZE: default 900000, smoke 50000
#include <stdio.h>
#include <stdlib.h>

struct entry {
    unsigned key, value;
    struct entry *next;
};

struct table {
    struct entry **buckets;
    size_t bucket_count, entry_count;
};

static struct entry **new_buckets(size_t count) {
    struct entry **buckets = calloc(count, sizeof *buckets);
    if (!buckets) exit(1);
    return buckets;
}

static size_t bucket_of(unsigned key, size_t bucket_count) {
    return (size_t)(key * 2654435761u) & (bucket_count - 1);
}

static void grow(struct table *table) {
    size_t larger = table->bucket_count * 2;
    struct entry **buckets = new_buckets(larger);
    for (size_t i = 0; i < table->bucket_count; i++) {
        for (struct entry *entry = table->buckets[i], *next; entry; entry = next) {
            next = entry->next;
            size_t at = bucket_of(entry->key, larger);
            entry->next = buckets[at];
            buckets[at] = entry;
        }
    }
    free(table->buckets);
    table->buckets = buckets;
    table->bucket_count = larger;
}

static struct entry **find(struct table *table, unsigned key) {
    struct entry **link = &table->buckets[bucket_of(key, table->bucket_count)];
    while (*link && (*link)->key != key) link = &(*link)->next;
    return link;
}

static void add(struct table *table, unsigned key, unsigned amount) {
    struct entry **link = find(table, key);
    if (*link) {
        (*link)->value += amount;
        return;
    }
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) exit(1);
    *entry = (struct entry){key, amount, NULL};
    *link = entry;
    if (++table->entry_count > table->bucket_count) grow(table);
}

static void discard(struct table *table, unsigned key) {
    struct entry **link = find(table, key), *entry = *link;
    if (!entry) return;
    *link = entry->next;
    free(entry);
    table->entry_count -= 1;
}

int main(int argc, char **argv) {
    unsigned operations = argc > 1 ? (unsigned)atoi(argv[1]) : 900000, state = 7, checksum = 0;
    struct table table = {new_buckets(16), 16, 0};
    for (unsigned i = 0; i < 3 * operations; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned key = (state >> 8) % operations;
        if (i % 3 == 2) {
            discard(&table, key);
        } else {
            add(&table, key, i);
        }
    }
    size_t left = table.entry_count;
    for (unsigned key = 0; key < operations; key++) {
        struct entry *entry = *find(&table, key);
        if (entry) checksum = checksum * 31 + entry->value;
        discard(&table, key);
    }
    printf("hash_table %u %zu %u\n", operations, left, checksum);
    free(table.buckets);
    return 0;
}
