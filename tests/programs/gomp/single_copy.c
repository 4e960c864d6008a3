// The owner of the value changes it before the others have copied it.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

struct copied {
    int value;
};
int sum;

static void part(void *data) {
    int mine = 9;
    struct copied own = {0}, *given = GOMP_single_copy_start();
    if (given == NULL) {
        own.value = 9;
        GOMP_single_copy_end(&own);
        own.value = 8; // EXPECT: data race
    } else {
        mine = given->value; // EXPECT: data race
    }
    GOMP_barrier();
    GOMP_critical_start();
    sum += mine;
    GOMP_critical_end();
}

int main(void) {
    GOMP_parallel(part, NULL, 3, 0);
    printf("%d\n", sum > 0);
    return 0;
}
