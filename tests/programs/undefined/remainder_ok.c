// Remainders that are defined, of signed and unsigned types.
// EXIT: 0
volatile int left = -7, right = 3, sink;
volatile unsigned long big = ~0ul;

int main(void) {
    sink = left % right;
    sink = left % -right;
    big = big % 10;
    big = big / 3;
    return sink == 1;
}
