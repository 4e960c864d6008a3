// The teams of a league write one place.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

static int x;

static void part(void *data) {
    x = omp_get_team_num(); // EXPECT: data race
}

int main(void) {
    GOMP_teams_reg(part, NULL, 3, 2, 0);
    printf("%d\n", x >= 0);
    return 0;
}
