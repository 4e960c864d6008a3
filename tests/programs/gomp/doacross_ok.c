// A nest in which each iteration waits for two others.
// CFLAGS: -fopenmp
// STDOUT: 209
#include "parts/gomp.h"

static int a[8][9];

static void part(void *data) {
    long counts[2] = {6, 4}, from, to;
    if (GOMP_loop_doacross_dynamic_start(2, counts, 1, &from, &to))
        do
            for (long i = from; i < to; i++)
                for (long j = 0; j < 4; j++) {
                    if (i > 0) GOMP_doacross_wait(i - 1, j);
                    if (j > 0) GOMP_doacross_wait(i, j - 1);
                    a[i + 1][j + 1] = a[i][j + 1] + a[i + 1][j] + 1;
                    long at[2] = {i, j};
                    GOMP_doacross_post(at);
                }
        while (GOMP_loop_dynamic_next(&from, &to));
    GOMP_loop_end();
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", a[6][4]);
    return 0;
}
