// Regions that are sections.
// CFLAGS: -fopenmp
// STDOUT: 02221
#include "parts/gomp.h"

static int times[5];

static void part(void *data) {
    unsigned n;
    while ((n = GOMP_sections_next()) != 0) times[n]++;
    GOMP_sections_end_nowait();
}

int main(void) {
    GOMP_parallel_sections(part, NULL, 0, 4, 0);
    GOMP_parallel_sections_start(part, NULL, 2, 3);
    part(NULL);
    GOMP_parallel_end();
    printf("%d%d%d%d%d\n", times[0], times[1], times[2], times[3], times[4]);
    return 0;
}
