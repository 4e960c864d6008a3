// A hundred pointers go through one vector, in halves that change places.
// EXIT: 0
// STDOUT: 4950
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long many __attribute__((vector_size(128 * sizeof(long))));

static long *rows[128];

int main(void)
{
    for (int i = 0; i < 128; i++) {
        rows[i] = malloc(sizeof *rows[i]);
        *rows[i] = i < 100 ? i : 0;
    }
    many numbers, turned;
    memcpy(&numbers, rows, sizeof numbers);
    for (int i = 0; i < 128; i++)
        turned[i] = numbers[(i + 64) % 128];
    memcpy(rows, &turned, sizeof turned);
    long sum = 0;
    for (int i = 0; i < 128; i++) {
        sum += *rows[i];
        free(rows[i]);
    }
    printf("%ld\n", sum);
    return 0;
}
