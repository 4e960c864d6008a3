// Update and capture are one atomic operation; reads are atomic, too.
// CFLAGS: -fopenmp
// STDOUT: 64
#include <stdio.h>

int main(void) {
    int count = 0, seen[64], now = 0;
#pragma omp parallel for private(now)
    for (int i = 0; i < 64; i++) {
#pragma omp atomic capture
        seen[i] = ++count;
#pragma omp atomic read
        now = count;
        if (now < seen[i])
            seen[i] = -1;
    }
    for (int i = 0; i < 64; i++)
        if (seen[i] < 1)
            return 1;
    printf("%d\n", count);
    return 0;
}
