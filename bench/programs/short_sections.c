// Short critical sections: 64 counters, each with a mutex of its own, picked at random.
// SIZE: default 3200, smoke 10
// THREADS: 1, 4
#include "work.h"

#define COUNTERS 64

static struct {
    pthread_mutex_t lock;
    long n_events;
    long total;
} counters[COUNTERS];

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    for (long i = size * 1000; i > 0; i--) {
        uint64_t drawn = next_random(&random);
        int which = (int)(drawn % COUNTERS);
        pthread_mutex_lock(&counters[which].lock);
        counters[which].n_events++;
        counters[which].total += (long)(drawn >> 60);
        pthread_mutex_unlock(&counters[which].lock);
    }
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 0; i < COUNTERS; i++) pthread_mutex_init(&counters[i].lock, NULL);
    int status = run_all("short_sections", argc > 1 ? atol(argv[1]) : 1600);
    long events = 0, total = 0;
    for (int i = 0; i < COUNTERS; i++) {
        events += counters[i].n_events;
        total += counters[i].total;
        pthread_mutex_destroy(&counters[i].lock);
    }
    printf("%ld %ld\n", events, total);
    return status;
}
