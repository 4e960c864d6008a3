// Integer division by zero traps on this machine.
#include <stdio.h>

static volatile int rows = 12, columns;

int main(void) {
    int cells = rows / columns; // EXPECT: FPE
    printf("%d\n", cells);
    return 0;
}
