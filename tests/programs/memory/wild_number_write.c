// A number such as rand() gives is taken for a pointer.
#include <stdio.h>

static volatile long drawn = 0x6b8b4560;

int main(void) {
    int *total = (int *)drawn;
    *total = 1; // EXPECT: SEGV write
    puts("not reached");
    return 0;
}
