// Only the function that is marked goes unchecked: the same use in another one is told.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, no_sanitize("memory"))) static int unchecked(const int *at) {
  return *at ? 1 : 2;
}

__attribute__((noinline)) static int checked(const int *at) {
  if (*at) // EXPECT: use-of-uninitialized-value
    puts("set");
  return *at;
}

int main(void) {
  int *block = malloc(sizeof *block);
  if (!block)
    return 1;
  int sum = unchecked(block);
  sum += checked(block);
  printf("%d\n", sum);
  free(block);
  return 0;
}
