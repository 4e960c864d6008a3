// The counter is read outside of the ordered region.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

int list[24], count;

static void part(void *data) {
    long from, to;
    if (GOMP_loop_ordered_dynamic_start(0, 24, 1, 1, &from, &to))
        do
            for (long i = from; i < to; i++) {
                int value = (int)i * 3;
                GOMP_ordered_start();
                list[count++] = value; // PREVIOUS: write
                GOMP_ordered_end();
                volatile int late = count; // EXPECT: data race read
            }
        while (GOMP_loop_ordered_dynamic_next(&from, &to));
    GOMP_loop_end();
}

int main(void) {
    int wrong = 0;
    GOMP_parallel(part, NULL, 0, 0);
    for (int i = 0; i < 24; i++) wrong += list[i] != i * 3;
    printf("%d\n", wrong >= 0);
    return 0;
}
