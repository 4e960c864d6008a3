// The update is atomic, the read is not.
// CFLAGS: -fopenmp
#include <stdio.h>

int main(void) {
    int count = 0, seen[64];
#pragma omp parallel for
    for (int i = 0; i < 64; i++) {
#pragma omp atomic
        count++;         // PREVIOUS: atomic write
        seen[i] = count; // EXPECT: data race read
    }
    printf("%d\n", seen[0] > 0);
    return 0;
}
