// Two blocks are compared further than one of them was set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  (void)argv;
  char *left = malloc(8), *right = calloc(8, 1);
  if (!left || !right)
    return 1;
  memset(left, 0, 4);
  if (memcmp(left, right, (size_t)(4 + argc)) == 0) // EXPECT: use-of-uninitialized-value
    puts("same");
  free(left);
  free(right);
  return 0;
}
