// Zeros at the start or the end of nothing.
volatile unsigned zero;
volatile unsigned long wide_zero;
volatile int sink;

int main(void) {
    sink = __builtin_clz(zero); // EXPECT: invalid-builtin-use
    sink = __builtin_ctzl(wide_zero); // EXPECT: invalid-builtin-use
    return 0;
}
