// A number that was never set is printed.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int *block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  block[0] = 1;
  printf("%d\n", block[argc]); // EXPECT: use-of-uninitialized-value
  free(block);
  return 0;
}
