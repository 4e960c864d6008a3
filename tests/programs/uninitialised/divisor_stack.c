// A divisor that was never set.
// SANITIZE: memory
#include <stdio.h>

__attribute__((noinline)) static void parse(unsigned *out, int n) {
  if (n > 2)
    *out = n;
}

volatile unsigned result;

int main(int argc, char **argv) {
  (void)argv;
  unsigned divisor;
  parse(&divisor, argc);
  result = 100u / (divisor | 1); // EXPECT: use-of-uninitialized-value
  return 0;
}
