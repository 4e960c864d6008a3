// Shifts of wide and of narrow types: a char is shifted as an int.
#include <stdint.h>

volatile int amount = 64;
volatile uint64_t wide = 1;
volatile int64_t high = INT64_MAX;
volatile unsigned char narrow = 1;
volatile int sink;

int main(void) {
    wide = wide << amount; // EXPECT: invalid-shift-exponent
    wide = wide >> (amount + 100); // EXPECT: invalid-shift-exponent
    sink = narrow << (amount / 2); // EXPECT: invalid-shift-exponent
    high = high << 1; // EXPECT: invalid-shift-base
    return 0;
}
