// The highest index.
// STDOUT: 25
#include <stdio.h>

static volatile int last = 5;

int main(void) {
    int table[6];
    for (int i = 0; i < 6; i++)
        table[i] = i * last;
    printf("%d\n", table[last]);
    return 0;
}
