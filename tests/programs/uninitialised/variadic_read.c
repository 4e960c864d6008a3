// Variadic arguments may be unset: the use is where the callee decides.
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void show(int n, ...) {
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; i++)
    if (va_arg(list, int) > 0) // EXPECT: use-of-uninitialized-value
      puts("positive");
  va_end(list);
}

int main(void) {
  volatile int *block = malloc(sizeof *block);
  if (!block)
    return 1;
  show(3, 1, *block, -1);
  free((void *)block);
  return 0;
}
