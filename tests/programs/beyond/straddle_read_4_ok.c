// An unaligned read of the last bytes of a block.
// EXIT: 0
#include <stdlib.h>
int main(void) {
  char *block = calloc(10, 1);
  volatile int *word = (volatile int *)(block + 6);
  int value = *word;
  free(block);
  return value;
}
