// Matrix products of doubles by the book, with three nested loops, each thread its own matrices.
// SIZE: default 120, smoke 4
// THREADS: 1, 4
#include "work.h"

#define N 120

static void multiply(const double *a, const double *b, double *c) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += a[i * N + k] * b[k * N + j];
            c[i * N + j] = sum;
        }
    }
}

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    double *a = malloc(N * N * sizeof *a), *b = malloc(N * N * sizeof *b);
    double *c = malloc(N * N * sizeof *c);
    if (!a || !b || !c) exit(1);
    for (int i = 0; i < N * N; i++) {
        a[i] = (double)(next_random(&random) % 7);
        b[i] = (double)(next_random(&random) % 5);
    }
    double sum = 0;
    for (long round = 0; round < size; round++) {
        multiply(a, b, c);
        sum += c[round % (N * N)];
        a[round % (N * N)] += 1;
    }
    free(a);
    free(b);
    free(c);
    return (unsigned long)sum;
}

int main(int argc, char **argv) {
    return run_all("matrix_rows", argc > 1 ? atol(argv[1]) : 64);
}
