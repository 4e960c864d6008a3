// Shadow is copied from what is set, and over itself.
// SANITIZE: memory
// NATIVE: skip it needs a header that comes with its compiler
// STDOUT: -1 -1 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __msan_copy_shadow(const volatile void *to, const volatile void *from, size_t size);
long __msan_test_shadow(const volatile void *data, size_t size);

int main(void) {
  int *parts = malloc(4 * sizeof *parts), *whole = malloc(4 * sizeof *whole);
  if (!parts || !whole)
    return 1;
  memset(parts, 0, 4 * sizeof *parts);
  __msan_copy_shadow(whole, parts, 3 * sizeof *parts);
  printf("%ld ", __msan_test_shadow(whole, 3 * sizeof *whole));
  __msan_copy_shadow(whole + 2, whole, 0);
  __msan_copy_shadow(whole + 2, whole + 1, 2 * sizeof *whole);
  printf("%ld ", __msan_test_shadow(whole, 3 * sizeof *whole));
  free(parts);
  parts = malloc(2 * sizeof *parts);
  if (!parts)
    return 2;
  parts[0] = 1;
  __msan_copy_shadow(whole, parts, 2 * sizeof *parts);
  printf("%ld\n", __msan_test_shadow(whole, 4 * sizeof *whole));
  free(parts);
  free(whole);
  return 0;
}
