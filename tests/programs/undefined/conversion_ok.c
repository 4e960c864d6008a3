// Conversions that keep the value, or that the program asks for.
// CFLAGS: -fsanitize=implicit-conversion
// EXIT: 0
volatile int big = 200, minus = -1;
volatile unsigned high = 0x80000001u;
volatile signed char narrow;
volatile unsigned char byte;
volatile unsigned wide;

int main(void) {
    byte = big;
    narrow = minus;
    wide = (unsigned)minus;
    narrow = (signed char)high;
    byte = (unsigned char)(big + 100);
    return 0;
}
