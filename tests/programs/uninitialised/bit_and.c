// A mask lets an unset bit through.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  unsigned *block = malloc(2 * sizeof *block);
  if (!block)
    return 1;
  ((unsigned char *)block)[0] = 0xf0;
  unsigned word = block[argc - 1];
  if ((word & 0x180u) == 0x80u) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(block);
  return 0;
}
