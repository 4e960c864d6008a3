// One wide access begins in a block and ends in the next one, over the redzone.
// NATIVE: miss an access of an odd size is tested at its first and last byte only
#include <stdlib.h>
typedef unsigned _BitInt(384) wide; // 48 bytes: a block of 16, its redzone, the next block
int main(void) {
  char *one = calloc(16, 1), *two = calloc(16, 1);
  char *low = one < two ? one : two;
  volatile wide *all = (volatile wide *)low;
  wide value = *all; // EXPECT: heap-buffer-overflow read 48
  free(one);
  free(two);
  return (int)value;
}
