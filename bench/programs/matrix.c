// Multiplies two square matrices of doubles: strided reads, long inner loops.
// SIZE: default 720, smoke 200
#include <stdio.h>
#include <stdlib.h>

static void fill(double *cells, int n, int seed) {
    for (int i = 0; i < n * n; i++) cells[i] = (i * seed) % 7 - 3;
}

static void multiply(const double *left, const double *right, double *product, int n) {
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += left[row * n + k] * right[k * n + column];
            product[row * n + column] = sum;
        }
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 720;
    size_t cells = (size_t)n * (size_t)n;
    double *left = malloc(cells * sizeof *left);
    double *right = malloc(cells * sizeof *right);
    double *product = malloc(cells * sizeof *product);
    if (!left || !right || !product) return 1;
    fill(left, n, 3);
    fill(right, n, 5);
    multiply(left, right, product, n);
    double checksum = 0;
    for (size_t i = 0; i < cells; i++) checksum += product[i] * (double)(i % 3);
    printf("matrix %d %.0f\n", n, checksum);
    free(product);
    free(right);
    free(left);
    return 0;
}
