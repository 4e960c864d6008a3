// Recursion alone: the numbers of Fibonacci and of Ackermann, without memory.
// SIZE: default 240, smoke 4
// THREADS: 1, 4
#include "work.h"

static unsigned long fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned long ackermann(unsigned long m, unsigned long n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned long work(int self, long size) {
    unsigned long sum = 0;
    for (long round = 0; round < size; round++)
        sum += fibonacci(25 + (unsigned)(self + round) % 3) + ackermann(2, 200);
    return sum;
}

int main(int argc, char **argv) {
    return run_all("recursion", argc > 1 ? atol(argv[1]) : 16);
}
