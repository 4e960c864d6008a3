// A variadic function gets a number that was never set.
// SANITIZE: memory
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  while (n-- > 0)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(int argc, char **argv) {
  (void)argv;
  int *block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  block[0] = 1;
  printf("%d\n", sum(2, block[0], block[argc])); // EXPECT: use-of-uninitialized-value
  free(block);
  return 0;
}
