// What the programs of ordinary code share: a size, a number of threads, random numbers, one sum.
//
//     static unsigned long work(int self, long size);     the work of thread `self`
//
// The work is split evenly: every thread gets `size / THREADS`, the first one is main itself.  With
// one thread no other is made.  The sum of what they return is printed.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif

struct share {
    int self;
    long size;
    unsigned long sum;
};

static unsigned long work(int self, long size);

static inline uint64_t next_random(uint64_t *state) {
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x * 0x2545F4914F6CDD1DULL;
}

static inline uint64_t seed_of(int self) { return 88172645463325252ULL + (uint64_t)self * 7919; }

static void *run_share(void *argument) {
    struct share *share = (struct share *)argument;
    share->sum = work(share->self, share->size);
    return NULL;
}

static int run_all(const char *name, long size) {
    struct share shares[THREADS];
    pthread_t threads[THREADS];
    unsigned long sum = 0;
    for (int i = THREADS - 1; i >= 0; i--) {
        shares[i].self = i;
        shares[i].size = size / THREADS;
        if (i == 0) run_share(&shares[i]);
        else if (pthread_create(&threads[i], NULL, run_share, &shares[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        if (i > 0) pthread_join(threads[i], NULL);
        sum += shares[i].sum;
    }
    printf("%s %d %ld %lu\n", name, THREADS, size, sum);
    return 0;
}
