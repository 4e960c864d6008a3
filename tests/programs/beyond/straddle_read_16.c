// NATIVE: miss sixteen bytes are tested in two granules, these lie in three
#include <stdlib.h>
int main(void) {
  char *block = calloc(26, 1);
  volatile __int128 *pair = (volatile __int128 *)(block + 12);
  int value = (int)*pair; // EXPECT: heap-buffer-overflow read 16
  free(block);
  return value;
}
