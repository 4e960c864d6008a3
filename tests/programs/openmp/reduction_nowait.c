// The result of the reduction is read before all threads have added their part.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int sum = 0, seen = 0;
#pragma omp parallel shared(sum) reduction(+ : seen)
    {
#pragma omp for reduction(+ : sum) nowait // EXPECT: data race
        for (int i = 0; i < 64; i++)
            sum += i;
        seen += sum; // EXPECT: data race read
    }
    printf("%d\n", seen >= 0);
    return 0;
}
