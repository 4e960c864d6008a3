// A reader takes the table, then its size; a writer puts a larger table in its place between both.
// KIND: atomicity violation of two variables
// FAILS: heap-buffer-overflow
// WHEN: the reader is preempted between its two loads, and the table grows
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    unsigned mask;
    int slots[];
};

static struct table *_Atomic table;
static atomic_uint mask;

static struct table *new_table(unsigned size) {
    struct table *made = calloc(1, sizeof *made + size * sizeof made->slots[0]);
    made->mask = size - 1;
    return made;
}

static void *reader(void *unused) {
    struct table *seen = atomic_load(&table);
#ifdef FIXED
    unsigned index = 13 & seen->mask;
#else
    unsigned index = 13 & atomic_load(&mask);
#endif
    if (seen->slots[index]) abort();
    return unused;
}

static void *grower(void *unused) {
    struct table *larger = new_table(16);
    atomic_store(&table, larger);
    atomic_store(&mask, larger->mask);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    struct table *first = new_table(4);
    atomic_store(&table, first);
    atomic_store(&mask, first->mask);
    if (pthread_create(&threads[0], NULL, reader, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, grower, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    free(first);
    free(atomic_load(&table));
    return 0;
}
