// Shifts by one bit less, of unsigned values, and to the right of negative ones.
// EXIT: 0
volatile int width = 32, minus_one = -1, big = 0x20000000, sink;
volatile unsigned bits = 0xc0000000u;

int main(void) {
    sink = 1 << (width - 2);
    sink = big << 1;
    sink = minus_one >> 31;
    bits = bits << 3;
    bits = bits >> (width - 1);
    return 0;
}
