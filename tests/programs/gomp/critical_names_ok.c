// One name for all.
// CFLAGS: -fopenmp
// STDOUT: 1
#include "parts/gomp.h"

static int sum;
static void *first;

static void part(void *data) {
    GOMP_critical_name_start(&first);
    sum += *(int *)data;
    GOMP_critical_name_end(&first);
}

int main(void) {
    int by = 2;
    GOMP_parallel(part, &by, 0, 0);
    printf("%d\n", sum % 2 == 0 && sum > 0);
    return 0;
}
