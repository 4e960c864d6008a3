// Unsigned arithmetic that wraps: defined, but checked when asked for.
// CFLAGS: -fsanitize=unsigned-integer-overflow
volatile unsigned top = ~0u, zero;

int main(void) {
    top = top + 1; // EXPECT: unsigned-integer-overflow
    top = zero - 1; // EXPECT: unsigned-integer-overflow
    top = -(zero + 3); // EXPECT: unsigned-integer-overflow
    return 0;
}
