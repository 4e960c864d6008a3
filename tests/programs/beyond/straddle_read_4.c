// An unaligned read that begins in a whole granule and ends behind the block.
// NATIVE: miss an aligned-looking access is tested in the granule of its first byte only
#include <stdlib.h>
int main(void) {
  char *block = calloc(10, 1);
  volatile int *word = (volatile int *)(block + 7);
  int value = *word; // EXPECT: heap-buffer-overflow read 4
  free(block);
  return value;
}
