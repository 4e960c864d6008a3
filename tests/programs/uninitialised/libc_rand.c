// A generator whose seed was never set.
// SANITIZE: memory
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned seed;
  int number = rand_r(&seed); // EXPECT: use-of-uninitialized-value
  printf("%d\n", number >= 0);
  return 0;
}
