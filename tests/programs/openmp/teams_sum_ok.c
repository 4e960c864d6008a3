// A reduction over teams and their threads.
// CFLAGS: -fopenmp -fopenmp-version=50
// STDOUT: 435
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp teams distribute parallel for num_teams(3) reduction(+ : sum)
    for (int i = 0; i < 30; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
