// The update stands beside the ordered region.
// CFLAGS: -fopenmp
#include <stdio.h>

static int order[64];

int main(void) {
    int at = 0;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 32; i++) {
#pragma omp ordered
        order[i] = i;
        at++; // EXPECT: data race
    }
    printf("%d\n", at > 0);
    return 0;
}
