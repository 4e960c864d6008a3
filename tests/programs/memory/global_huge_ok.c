// Three tables of 80 MB and one of 400: as bandwidth benchmarks and number crunchers have them.
// STDOUT: 7 1
#include <stdio.h>

#define N 10000000

static double a[N], b[N], c[N];
int extra[100000000];

int main(void) {
    for (long i = 0; i < N; i += 99999) {
        a[i] = 1;
        b[i] = 2;
    }
    for (long i = 0; i < N; i += 99999) c[i] = a[i] + 3 * b[i];
    extra[99999999] = 1;
    printf("%g %d\n", c[9999900], extra[99999999]);
    return 0;
}
