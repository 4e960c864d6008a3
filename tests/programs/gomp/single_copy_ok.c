// copyprivate: all have the value of one.
// CFLAGS: -fopenmp
// STDOUT: 27
#include "parts/gomp.h"

struct copied {
    int value;
};
static int sum;

static void part(void *data) {
    struct copied own = {omp_get_thread_num()}, *given = GOMP_single_copy_start();
    if (given == NULL) {
        own.value = 9;
        GOMP_single_copy_end(&own);
    } else {
        own.value = given->value;
    }
    GOMP_barrier();
    GOMP_critical_start();
    sum += own.value;
    GOMP_critical_end();
}

int main(void) {
    GOMP_parallel(part, NULL, 3, 0);
    printf("%d\n", sum);
    return 0;
}
