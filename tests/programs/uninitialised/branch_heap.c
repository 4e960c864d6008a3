// A branch on an element of a block that nobody has written.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int *block = malloc(8 * sizeof *block); // ALLOCATED
  if (!block)
    return 1;
  block[0] = argc;
  if (block[argc + 1]) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(block);
  return 0;
}
