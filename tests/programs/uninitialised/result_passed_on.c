// Told that results need not be set, the use is where the caller decides.
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int fetch(const volatile int *at) {
  return *at;
}

int main(void) {
  volatile int *block = malloc(sizeof *block);
  if (!block)
    return 1;
  int value = fetch(block);
  if (value > 2) // EXPECT: use-of-uninitialized-value
    puts("big");
  free((void *)block);
  return 0;
}
