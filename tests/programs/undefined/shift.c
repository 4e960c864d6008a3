// Shifts by as many bits as there are, by a negative number, of bits out of the type.
volatile int width = 32, minus_one = -1, big = 0x40000000, sink;

int main(void) {
    sink = 1 << width; // EXPECT: invalid-shift-exponent
    sink = 1 << minus_one; // EXPECT: invalid-shift-exponent
    sink = big >> width; // EXPECT: invalid-shift-exponent
    sink = big << 2; // EXPECT: invalid-shift-base
    sink = minus_one << 3; // EXPECT: invalid-shift-base
    return 0;
}
