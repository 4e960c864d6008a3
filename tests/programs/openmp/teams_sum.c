// Teams of the host are threads as well.
// CFLAGS: -fopenmp -fopenmp-version=50
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp teams num_teams(3) shared(sum)
#pragma omp distribute
    for (int i = 0; i < 30; i++)
        sum += i; // EXPECT: data race
    printf("%d\n", sum > 0);
    return 0;
}
