// Four threads walk through short phases, a barrier after each: every phase reads its neighbours.
// SIZE: default 60000, smoke 1000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif
enum { CELLS = 256 / THREADS };

static pthread_barrier_t phase_end;
static unsigned cells[2][THREADS * CELLS];
static long phases;

static void *walk(void *argument) {
    int first = *(int *)argument * CELLS;
    for (long phase = 0, last = phases; phase < last; phase++) {
        const unsigned *now = cells[phase & 1];
        unsigned *next = cells[~phase & 1];
        for (int i = first; i < first + CELLS; i++) {
            int left = (i + THREADS * CELLS - 1) % (THREADS * CELLS);
            int right = (i + 1) % (THREADS * CELLS);
            next[i] = now[left] * 3u + now[i] + now[right] * 5u + 1u;
        }
        pthread_barrier_wait(&phase_end);
    }
    return NULL;
}

int main(int argc, char **argv) {
    phases = argc > 1 ? atol(argv[1]) : 60000;
    pthread_t threads[THREADS];
    int numbers[THREADS];
    unsigned sum = 0;
    for (int i = 0; i < THREADS * CELLS; i++) cells[0][i] = (unsigned)i;
    if (pthread_barrier_init(&phase_end, NULL, THREADS)) return 1;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, walk, &numbers[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&phase_end);
    for (int i = 0; i < THREADS * CELLS; i++) sum = sum * 31u + cells[phases & 1][i];
    printf("barrier_phases %ld %u\n", phases, sum);
    return 0;
}
