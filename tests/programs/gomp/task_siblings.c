// Two tasks of one maker are not ordered.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int x;

static void body(void *data) {
    x += *(int *)data; // EXPECT: data race
}

static void part(void *data) {
    if (GOMP_single_start())
        for (int i = 0; i < 4; i++) GOMP_task(body, &i, NULL, sizeof i, 4, true, 0, NULL, 0, NULL);
}

int main(void) {
    GOMP_parallel(part, NULL, 0, 0);
    printf("%d\n", x > 0);
    return 0;
}
