// The condition is false, or the task final: its maker runs it here and now.
// CFLAGS: -fopenmp
// STDOUT: 3 1
#include <omp.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int x = 0, y = 0, inside = 0;
    (void)argv;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x) if (argc < 0)
        x = 1;
        y = x;
#pragma omp task shared(x, inside) final(1)
        {
#pragma omp task shared(x)
            x += 2;
            inside = x == 3 && omp_in_final();
        }
#pragma omp taskwait
        y = x;
    }
    printf("%d %d\n", y, inside);
    return 0;
}
