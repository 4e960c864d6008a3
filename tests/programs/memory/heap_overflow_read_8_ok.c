// The twin of heap_overflow_read_8: the whole record is allocated.
// STDOUT: 1.5
#include <stdio.h>
#include <stdlib.h>

struct record {
    int id;
    volatile double weight;
    volatile double added_later;
};

static struct record *make(int id) {
    struct record *record = malloc(sizeof *record);
    if (!record) exit(1);
    record->id = id;
    record->weight = 0.5;
    record->added_later = 1;
    return record;
}

int main(int argc, char **argv) {
    (void)argv;
    struct record *record = make(argc);
    double sum = record->weight;
    sum += record->added_later;
    printf("%g\n", sum);
    free(record);
    return 0;
}
