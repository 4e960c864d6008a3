// A block grows: its new end was never set.
// SANITIZE: memory
// ONLY: -O0 optimisation removes the block
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int *block = calloc(4, sizeof *block);
  block = realloc(block, 8 * sizeof *block);
  if (!block)
    return 1;
  if (block[4 + argc]) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(block);
  return 0;
}
