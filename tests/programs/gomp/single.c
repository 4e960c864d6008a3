// Nobody waits for the thread of the single construct.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

int value, copies[64];

static void part(void *data) {
    if (GOMP_single_start()) value = 7; // EXPECT: data race
    copies[omp_get_thread_num()] = value; // EXPECT: data race
}

int main(void) {
    int wrong = 0;
    GOMP_parallel(part, NULL, 3, 0);
    for (int i = 0; i < 3; i++) wrong += copies[i] != 7;
    printf("%d\n", wrong >= 0);
    return 0;
}
