// Each pair of counters has its own element; the schedule is the environment's.
// CFLAGS: -fopenmp
// FLAGS: OMP_SCHEDULE=dynamic,3
// STDOUT: 49
#include <stdio.h>

static int cells[8][8];

int main(void) {
#pragma omp parallel for collapse(2) schedule(runtime)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            cells[i][j] = i * j;
    printf("%d\n", cells[7][7]);
    return 0;
}
