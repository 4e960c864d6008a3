// An unaligned write that begins in a whole granule and ends behind the block.
// NATIVE: miss an aligned-looking access is tested in the granule of its first byte only
#include <stdlib.h>
int main(void) {
  char *block = calloc(10, 1);
  volatile long *word = (volatile long *)(block + 4);
  *word = 1; // EXPECT: heap-buffer-overflow write 8
  free(block);
  return 0;
}
