// Wide types hold what int does not; short and char are added as int.
// EXIT: 0
#include <limits.h>

volatile long factor = 1 << 20;
volatile short high = SHRT_MAX;
volatile long sink;

int main(void) {
    sink = factor * factor;
    sink = high + high;
    sink = (long)INT_MAX + 1;
    __int128 wide = (__int128)LONG_MAX * LONG_MAX;
    sink = (long)(wide >> 64);
    unsigned power = 1;
    for (int i = 0; i < 40; i++)
        power *= 3;
    sink = power;
    return 0;
}
