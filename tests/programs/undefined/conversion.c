// Conversions that change a value: defined, but suspicious, so checked only when asked for.
// CFLAGS: -fsanitize=implicit-conversion
volatile int big = 300, minus = -1;
volatile unsigned high = 0x80000001u;
volatile signed char narrow;
volatile unsigned char byte;
volatile unsigned wide;
volatile int sink;

int main(void) {
    byte = (unsigned)big; // EXPECT: implicit-unsigned-integer-truncation
    byte = big; // EXPECT: implicit-signed-integer-truncation
    narrow = big; // EXPECT: implicit-signed-integer-truncation
    wide = minus; // EXPECT: implicit-integer-sign-change
    sink = high; // EXPECT: implicit-integer-sign-change
    narrow = (unsigned)minus; // EXPECT: implicit-signed-integer-truncation-or-sign-change
    narrow = high | 128; // EXPECT: implicit-signed-integer-truncation-or-sign-change
    return 0;
}
