// memcpy, memmove and memset: messages of random lengths through buffers of the thread's own.
// SIZE: default 4000, smoke 20
// THREADS: 1, 4
#include "work.h"

#include <string.h>

#define BUFFERS 32
#define BYTES 2048

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    unsigned char *buffers[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
        buffers[i] = malloc(BYTES);
        if (!buffers[i]) exit(1);
        memset(buffers[i], i, BYTES);
    }
    unsigned long sum = 0;
    for (long i = size * 1000; i > 0; i--) {
        uint64_t drawn = next_random(&random);
        unsigned char *to = buffers[drawn % BUFFERS], *from = buffers[(drawn >> 5) % BUFFERS];
        size_t length = drawn >> 10 & 511, at = drawn >> 20 & 1023;
        if (to == from) memmove(to + at, from + at / 2, length);
        else if (drawn >> 62 == 0) memset(to + at, (int)(drawn >> 40), length / 4);
        else memcpy(to + at, from + (drawn >> 30 & 1023), length);
        sum += to[at];
    }
    for (int i = 0; i < BUFFERS; i++) {
        sum += buffers[i][BYTES / 2];
        free(buffers[i]);
    }
    return sum;
}

int main(int argc, char **argv) {
    return run_all("copy_buffers", argc > 1 ? atol(argv[1]) : 4000);
}
