// One wide access that fills its block.
// EXIT: 0
#include <stdlib.h>
typedef unsigned _BitInt(384) wide; // 48 bytes
int main(void) {
  char *one = calloc(48, 1), *two = calloc(48, 1);
  char *low = one < two ? one : two;
  volatile wide *all = (volatile wide *)low;
  wide value = *all;
  free(one);
  free(two);
  return (int)value;
}
