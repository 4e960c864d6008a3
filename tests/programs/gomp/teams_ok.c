// A league of three teams with regions of two threads.
// CFLAGS: -fopenmp
// STDOUT: 0
#include "parts/gomp.h"

static int seen[3][2];

static void inner(void *data) { seen[*(int *)data][omp_get_thread_num()]++; }

static void part(void *data) {
    int number = omp_get_team_num();
    GOMP_parallel(inner, &number, 2, 0);
    if (omp_get_num_teams() != 3) seen[0][0] = 100;
}

int main(void) {
    int wrong = 0;
    GOMP_teams_reg(part, NULL, 3, 2, 0);
    for (int i = 0; i < 6; i++) wrong += seen[i / 2][i % 2] != 1;
    printf("%d\n", wrong);
    return 0;
}
