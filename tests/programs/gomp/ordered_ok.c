// What ordered regions append is in order: chunks of two.
// CFLAGS: -fopenmp
// STDOUT: 0
#include "parts/gomp.h"

static int list[24], count;

static void part(void *data) {
    long from, to;
    if (GOMP_loop_ordered_dynamic_start(0, 24, 1, 2, &from, &to))
        do
            for (long i = from; i < to; i++) {
                int value = (int)i * 3;
                GOMP_ordered_start();
                list[count++] = value;
                GOMP_ordered_end();
            }
        while (GOMP_loop_ordered_dynamic_next(&from, &to));
    GOMP_loop_end();
}

int main(void) {
    int wrong = 0;
    GOMP_parallel(part, NULL, 0, 0);
    for (int i = 0; i < 24; i++) wrong += list[i] != i * 3;
    printf("%d\n", wrong);
    return 0;
}
