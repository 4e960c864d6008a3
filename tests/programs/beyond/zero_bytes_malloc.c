// malloc(0) gives no byte that may be touched.
// NATIVE: miss malloc(0) gives one byte there
#include <stdlib.h>
int main(void) {
  volatile char *nothing = malloc(0); // ALLOCATED
  nothing[0] = 1; // EXPECT: heap-buffer-overflow write 1
  free((void *)nothing);
  return 0;
}
