// A record allocated for the old, shorter layout: its last field is outside.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
    int id;
    volatile double weight;
    volatile double added_later;
};

static struct record *make(int id) {
    struct record *record = malloc(offsetof(struct record, added_later)); // ALLOCATED
    if (!record) exit(1);
    record->id = id;
    record->weight = 0.5;
    return record;
}

int main(int argc, char **argv) {
    (void)argv;
    struct record *record = make(argc);
    double sum = record->weight;
    sum += record->added_later; // EXPECT: heap-buffer-overflow read 8
    printf("%g\n", sum);
    free(record);
    return 0;
}
