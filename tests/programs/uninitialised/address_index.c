// An index that was never set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

static int table[256];

int main(int argc, char **argv) {
  (void)argv;
  unsigned char *index = malloc(4);
  if (!index)
    return 1;
  index[0] = 1;
  table[index[argc]] = 3; // EXPECT: use-of-uninitialized-value
  printf("%d\n", table[1]);
  free(index);
  return 0;
}
