// Unset bits are shifted to where they are looked at.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  unsigned *block = malloc(2 * sizeof *block);
  if (!block)
    return 1;
  ((unsigned char *)block)[0] = 0xf0;
  unsigned word = block[argc - 1] >> (4 * argc);
  if ((unsigned char)word == 0x0f) // EXPECT: use-of-uninitialized-value
    puts("fifteen");
  free(block);
  return 0;
}
