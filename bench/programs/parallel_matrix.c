// Matrix multiplication split by rows over four threads, with a barrier between two products.
// SIZE: default 840, smoke 180
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif

static int n;
static double *left, *right, *first, *second;
static pthread_barrier_t barrier;

static void multiply_rows(const double *a, const double *b, double *c, int from, int to) {
    for (int row = from; row < to; row++) {
        for (int column = 0; column < n; column++) c[row * n + column] = 0;
        for (int k = 0; k < n; k++) {
            double factor = a[row * n + k];
            for (int column = 0; column < n; column++) {
                c[row * n + column] += factor * b[k * n + column];
            }
        }
    }
}

static void *worker(void *argument) {
    int self = *(int *)argument, from = n * self / THREADS, to = n * (self + 1) / THREADS;
    multiply_rows(left, right, first, from, to);
    pthread_barrier_wait(&barrier);
    multiply_rows(right, first, second, from, to);
    return NULL;
}

static double *new_matrix(int seed) {
    double *cells = malloc((size_t)n * (size_t)n * sizeof *cells);
    if (!cells) exit(1);
    for (int i = 0; i < n * n; i++) cells[i] = (i * seed) % 11 - 4;
    return cells;
}

int main(int argc, char **argv) {
    n = argc > 1 ? atoi(argv[1]) : 840;
    pthread_t threads[THREADS];
    int numbers[THREADS];
    double checksum = 0;
    left = new_matrix(3), right = new_matrix(7), first = new_matrix(0), second = new_matrix(0);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < n * n; i++) checksum += second[i] * (i % 3);
    printf("parallel_matrix %d %.0f\n", n, checksum);
    free(second), free(first), free(right), free(left);
    return 0;
}
