// Four threads on shared atomics: counters, a maximum by compare-exchange, a spinlock of one flag.
// SIZE: default 4000000, smoke 40000
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif
enum { COUNTERS = 16 };

static struct {
    _Alignas(64) atomic_long value;
} counters[COUNTERS];

static atomic_uint largest;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static long guarded, rounds_all;

static void raise_largest(unsigned candidate) {
    unsigned seen = atomic_load_explicit(&largest, memory_order_acquire);
    while (seen < candidate) {
        if (atomic_compare_exchange_weak_explicit(&largest, &seen, candidate, memory_order_acq_rel,
                                                  memory_order_acquire)) {
            return;
        }
    }
}

static void *count(void *argument) {
    unsigned state = *(unsigned *)argument;
    for (long i = 0, rounds = rounds_all / THREADS; i < rounds; i++) {
        state = state * 1664525u + 1013904223u;
        atomic_fetch_add_explicit(&counters[state >> 28].value, 1, memory_order_relaxed);
        raise_largest(state);
        if (i % 4) continue;
        while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire)) continue;
        guarded++;
        atomic_flag_clear_explicit(&flag, memory_order_release);
    }
    return NULL;
}

int main(int argc, char **argv) {
    rounds_all = 4 * (argc > 1 ? atol(argv[1]) : 4000000);
    pthread_t threads[THREADS];
    unsigned seeds[THREADS];
    long sum = 0;
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = i + 1u;
        if (pthread_create(&threads[i], NULL, count, &seeds[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < COUNTERS; i++) sum += counters[i].value;
    printf("atomic_counters %ld %ld %u %ld\n", rounds_all, sum, largest, guarded);
    return 0;
}
