// Many call paths: eight functions call each other at random to a depth of twelve and allocate there.
// SIZE: default 400, smoke 4
// THREADS: 1, 4
#include "work.h"

struct walk {
    uint64_t random;
    int *kept[256];
    unsigned long sum;
};

static void step(struct walk *walk, int depth);

static void put(struct walk *walk, int value) {
    uint64_t drawn = next_random(&walk->random);
    int **slot = &walk->kept[drawn % 256];
    if (*slot) walk->sum += (unsigned long)**slot;
    free(*slot);
    *slot = malloc(sizeof **slot * (1 + (drawn >> 60)));
    if (!*slot) exit(1);
    **slot = value;
}

#define LINK(name, value)                                                                          \
    static __attribute__((noinline)) void name(struct walk *walk, int depth) {                     \
        if (depth == 0) put(walk, value);                                                          \
        else step(walk, depth - 1);                                                                \
        walk->sum += value;                                                                        \
    }

LINK(one, 1)
LINK(two, 2)
LINK(three, 3)
LINK(four, 4)
LINK(five, 5)
LINK(six, 6)
LINK(seven, 7)
LINK(eight, 8)

static __attribute__((noinline)) void step(struct walk *walk, int depth) {
    switch (next_random(&walk->random) >> 61) {
    case 0: one(walk, depth); break;
    case 1: two(walk, depth); break;
    case 2: three(walk, depth); break;
    case 3: four(walk, depth); break;
    case 4: five(walk, depth); break;
    case 5: six(walk, depth); break;
    case 6: seven(walk, depth); break;
    default: eight(walk, depth); break;
    }
}

static unsigned long work(int self, long size) {
    struct walk walk = {seed_of(self), {NULL}, 0};
    for (long i = size * 1000; i > 0; i--) step(&walk, 12);
    for (int i = 0; i < 256; i++) free(walk.kept[i]);
    return walk.sum;
}

int main(int argc, char **argv) {
    return run_all("call_paths", argc > 1 ? atol(argv[1]) : 400);
}
