// Two sections write one variable.
// CFLAGS: -fopenmp
#include <stdio.h>

__attribute__((noinline)) static void first(int *found) {
    *found = 1; // EXPECT: data race write
}

__attribute__((noinline)) static void second(int *found) {
    *found += 2; // EXPECT: data race
}

int main(void) {
    int found = 0;
#pragma omp parallel sections
    {
#pragma omp section
        first(&found);
#pragma omp section
        second(&found);
    }
    printf("%d\n", found > 0);
    return 0;
}
