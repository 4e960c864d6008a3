// The threads of a region add without a lock.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int sum;

static void part(void *data) {
    sum += *(int *)data; // EXPECT: data race
}

int main(void) {
    int by = 2;
    GOMP_parallel(part, &by, 0, 0);
    printf("%d\n", sum % 2 == 0 && sum > 0);
    return 0;
}
