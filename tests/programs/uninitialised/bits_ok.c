// Masks and shifts leave only bits that were set.
// SANITIZE: memory
// STDOUT: f0 f f000 ff 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  unsigned *block = malloc(2 * sizeof *block);
  if (!block)
    return 1;
  ((unsigned char *)block)[0] = 0xf0;
  unsigned word = block[argc - 1];
  unsigned low = word & 0xffu;
  unsigned shifted = (word << (24 * argc)) >> 28;
  unsigned placed = (word << 8) & 0xffffu;
  unsigned ored = (word | 0xffffff0fu) & 0xff;
  int differs = (word & 0xffu) != 0x10u;
  printf("%x %x %x %x %d\n", low, shifted, placed, ored | low, differs);
  free(block);
  return 0;
}
