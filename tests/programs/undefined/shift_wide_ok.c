// The same shifts within the types.
// EXIT: 0
#include <stdint.h>

volatile int amount = 63;
volatile uint64_t wide = 1;
volatile int64_t high = INT64_MAX >> 1;
volatile unsigned char narrow = 255;
volatile int sink;

int main(void) {
    wide = wide << amount;
    wide = wide >> amount;
    sink = narrow << 8;
    high = high << 1;
    return 0;
}
