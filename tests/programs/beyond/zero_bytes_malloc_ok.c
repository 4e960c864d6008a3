#include <stdlib.h>
int main(void) {
  volatile char *nothing = malloc(0);
  free((void *)nothing);
  return 0;
}
