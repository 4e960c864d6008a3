// A remainder by a part of a block that was never set.
// SANITIZE: memory
#include <stdlib.h>

volatile long result;

int main(int argc, char **argv) {
  (void)argv;
  long *sizes = malloc(3 * sizeof *sizes);
  if (!sizes)
    return 1;
  sizes[0] = 7;
  result = 1000 % (sizes[argc] | 1); // EXPECT: use-of-uninitialized-value
  free(sizes);
  return 0;
}
