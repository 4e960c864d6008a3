// The last of many variadic arguments was never set; another function reads the list, from a copy.
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void above(double least, int n, va_list list) {
  for (int i = 0; i < n; i++) {
    if (va_arg(list, double) > least) // EXPECT: use-of-uninitialized-value
      puts("above");
    if (va_arg(list, long) == 7)
      puts("seven");
  }
}

__attribute__((noinline)) static void above_one(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  above(1.0, n - 1, list);
  above(1.0, n, again);
  va_end(again);
  va_end(list);
}

int main(void) {
  volatile double *block = malloc(sizeof *block);
  if (!block)
    return 1;
  above_one(10, 1.5, 1L, 2.5, 2L, 0.5, 3L, 1.5, 4L, 1.5, 5L, 1.5, 6L, 1.5, 7L, 1.5, 8L, 1.5, 9L,
            *block, 10L);
  free((void *)block);
  return 0;
}
