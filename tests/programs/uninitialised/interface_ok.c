// The program poisons, unpoisons and copies shadow.
// SANITIZE: memory
// NATIVE: skip it needs a header that comes with its compiler
// STDOUT: 2 -1 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __msan_poison(const volatile void *data, size_t size);
void __msan_unpoison(const volatile void *data, size_t size);
void __msan_unpoison_string(const volatile char *text);
void __msan_copy_shadow(const volatile void *to, const volatile void *from, size_t size);
long __msan_test_shadow(const volatile void *data, size_t size);
unsigned __msan_get_origin(const volatile void *data);

int main(void) {
  char *block = malloc(8), other[8];
  if (!block)
    return 1;
  memset(block, 'x', 8);
  memset(other, 0, sizeof other);
  block[7] = 0;
  __msan_poison(block + 2, 6);
  __msan_copy_shadow(other, block, 8);
  printf("%ld ", __msan_test_shadow(other, 8));
  __msan_unpoison_string(block);
  __msan_unpoison(other, 8);
  printf("%ld %d\n", __msan_test_shadow(block, 8), block[3] == 'x' && !__msan_get_origin(other));
  free(block);
  return 0;
}
