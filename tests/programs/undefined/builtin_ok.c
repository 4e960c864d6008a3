// The same of numbers that are not zero, and the builtins that take zero.
// EXIT: 0
volatile unsigned one = 1;
volatile unsigned long wide = 64, zero;
volatile int sink;

int main(void) {
    sink = __builtin_clz(one) + __builtin_ctzl(wide);
    sink += __builtin_popcountl(zero) + __builtin_ffsl((long)zero);
    return sink != 37;
}
