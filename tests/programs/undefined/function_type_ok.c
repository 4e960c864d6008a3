// Functions called by pointers of their own types, and of a library.
// EXIT: 0
#include <stdlib.h>

volatile long sink;

static int twice(int n) { return 2 * n; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int (*volatile call)(int) = twice;
    sink = call(3);
    int numbers[3] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, compare);
    int (*volatile absolute)(int) = abs;
    sink += absolute(-numbers[0]);
    return sink != 7;
}
