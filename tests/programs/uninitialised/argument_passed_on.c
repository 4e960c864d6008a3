// Told that arguments need not be set, the use is where the callee decides.
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int decide(int value) {
  if (value > 2) // EXPECT: use-of-uninitialized-value
    puts("big");
  return value;
}

int main(void) {
  volatile int *block = malloc(sizeof *block);
  if (!block)
    return 1;
  printf("%d\n", decide(*block));
  free((void *)block);
  return 0;
}
