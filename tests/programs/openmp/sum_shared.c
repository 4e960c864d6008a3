// Every thread adds to one variable that nothing protects.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 64; i++)
        sum += i; // EXPECT: data race
    printf("%d\n", sum > 0);
    return 0;
}
