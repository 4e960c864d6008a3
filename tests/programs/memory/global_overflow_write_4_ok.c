// The element at the end of an array with static storage.
// STDOUT: 0 0
#include <stdio.h>

int values[10];
static int neighbour[10];
volatile int end = 10;

int main(void) {
    neighbour[0] = 1;
    values[end - 1] = 7;
    printf("%d %d\n", values[0], neighbour[end - 1]);
    return 0;
}
