// Read twice: natively, too, the first access ends the program, wherever the number leads.
#include <stdio.h>

static volatile long drawn = 0x7c000010;

__attribute__((noinline)) static int look(const int *place) {
    return place[0]; // EXPECT: SEGV read
}

int main(void) {
    int own = 3;
    printf("%d\n", look(&own) + look((const int *)drawn));
    return 0;
}
