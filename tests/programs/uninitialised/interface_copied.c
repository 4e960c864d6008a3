// An object is built beside its parts, and its shadow is copied from them.
// SANITIZE: memory
// NATIVE: skip it needs a header that comes with its compiler
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __msan_copy_shadow(const volatile void *to, const volatile void *from, size_t size);

int main(int argc, char **argv) {
  (void)argv;
  int *parts = malloc(4 * sizeof *parts), *whole = calloc(4, sizeof *whole);
  if (!parts || !whole)
    return 1;
  parts[0] = 1;
  __msan_copy_shadow(whole, parts, 4 * sizeof *parts);
  if (whole[argc - 1])
    return 2;
  if (whole[argc]) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(parts);
  free(whole);
  return 0;
}
