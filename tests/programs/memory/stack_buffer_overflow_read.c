// An index that is one too high, in the function that has the array.
#include <stdio.h>

static volatile int last = 6;

int main(void) {
    int table[6];
    for (int i = 0; i < 6; i++)
        table[i] = i * last;
    printf("%d\n", table[last]); // EXPECT: stack-buffer-overflow read 4
    return 0;
}
