// The other access was made millions of accesses ago.
// NATIVE: miss its stack is gone from the history there, and the race with it
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CELLS = 1 << 12, ROUNDS = 200 };

static volatile int shared;
static volatile int *cells;

static __attribute__((noinline)) void early(void) {
    shared = 1; // PREVIOUS: write 4
}

static __attribute__((noinline)) int step(int i) {
    return ++cells[i];
}

static void *worker(void *unused) {
    early();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CELLS; i++) step(i);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    cells = calloc(CELLS, sizeof *cells);
    pthread_create(&thread, NULL, worker, NULL);
    sleep(1);
    shared = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    free((void *)cells);
    puts("done");
    return 0;
}
