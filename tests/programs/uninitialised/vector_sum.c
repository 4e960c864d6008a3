// A loop that the compiler may make vectors of adds one number too many.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int n = 64 * argc;
  int *block = malloc((size_t)(n + 1) * sizeof *block);
  if (!block)
    return 1;
  for (int i = 0; i < n; i++)
    block[i] = i;
  int sum = 0;
  for (int i = 0; i <= n; i++)
    sum += block[i];
  if (sum > 3000) // EXPECT: use-of-uninitialized-value
    puts("more");
  free(block);
  return 0;
}
