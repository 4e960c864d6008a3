// Not all iterations have an ordered region.
// CFLAGS: -fopenmp
// STDOUT: 0
#include "parts/gomp.h"

static int list[24], count;

static void part(void *data) {
    long from, to;
    if (GOMP_loop_ordered_guided_start(0, 24, 1, 1, &from, &to))
        do
            for (long i = from; i < to; i++) {
                int value = (int)i * 3;
                list[i] = value;
                if (i % 3 == 0) {
                    GOMP_ordered_start();
                    count += value;
                    GOMP_ordered_end();
                }
            }
        while (GOMP_loop_ordered_guided_next(&from, &to));
    GOMP_loop_end();
}

int main(void) {
    int wrong = 0;
    GOMP_parallel(part, NULL, 0, 0);
    for (int i = 0; i < 24; i++) wrong += list[i] != i * 3;
    printf("%d\n", wrong + (count != 252));
    return 0;
}
