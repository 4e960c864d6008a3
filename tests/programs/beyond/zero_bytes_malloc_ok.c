// The pointer that malloc(0) gives is freed, not used.
// EXIT: 0
#include <stdlib.h>
int main(void) {
  volatile char *nothing = malloc(0);
  free((void *)nothing);
  return 0;
}
