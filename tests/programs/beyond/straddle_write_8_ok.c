// An unaligned write of the last bytes of a block.
// EXIT: 0
#include <stdlib.h>
int main(void) {
  char *block = calloc(10, 1);
  volatile long *word = (volatile long *)(block + 2);
  *word = 1;
  free(block);
  return 0;
}
