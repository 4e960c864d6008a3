// Deep, mutual and tree recursion.
// STDOUT: even 1, depth 10000, fibonacci 6765, ackermann 61
#include <stdio.h>

static int is_odd(unsigned number);

static int __attribute__((noinline)) is_even(unsigned number) {
    return number == 0 ? 1 : is_odd(number - 1);
}

static int __attribute__((noinline)) is_odd(unsigned number) {
    return number == 0 ? 0 : is_even(number - 1);
}

static int __attribute__((noinline)) depth_of(int levels) {
    volatile int kept = levels;
    return kept == 0 ? 0 : 1 + depth_of(levels - 1);
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    printf("even %d, depth %d, fibonacci %d, ackermann %d\n", is_even(1000), depth_of(10000),
           fibonacci(20), ackermann(3, 3));
    return 0;
}
