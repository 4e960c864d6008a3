// The element behind the last one of an array with static storage.
#include <stdio.h>

int values[10];
static int neighbour[10];
volatile int end = 10;

int main(void) {
    neighbour[0] = 1;
    values[end] = 7; // EXPECT: global-buffer-overflow write 4
    printf("%d %d\n", values[0], neighbour[end - 1]);
    return 0;
}
