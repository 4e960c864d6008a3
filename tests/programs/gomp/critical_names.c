// Two critical sections of other names exclude nothing.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int sum;
static void *first, *second;

static void part(void *data) {
    void **name = omp_get_thread_num() == 0 ? &first : &second;
    GOMP_critical_name_start(name);
    sum += *(int *)data; // EXPECT: data race
    GOMP_critical_name_end(name);
}

int main(void) {
    int by = 2;
    GOMP_parallel(part, &by, 0, 0);
    printf("%d\n", sum % 2 == 0 && sum > 0);
    return 0;
}
