// NATIVE: miss a block bigger than the quarantine is given back at once
#include <stdlib.h>
int main(void) {
  volatile char *kept = malloc(400 << 20);
  kept[0] = 7;
  free((void *)kept);
  char value = kept[0]; // EXPECT: heap-use-after-free read 1
  return value == 7;
}
