// NATIVE: miss an access of an odd size is tested at its first and last byte only
#include <stdlib.h>
void __asan_poison_memory_region(void const volatile *start, size_t size);
void __asan_unpoison_memory_region(void const volatile *start, size_t size);
typedef unsigned _BitInt(384) wide; // 48 bytes
int main(void) {
  char *block = calloc(48, 1);
  __asan_poison_memory_region(block + 16, 16);
  volatile wide *all = (volatile wide *)block;
  wide value = *all; // EXPECT: use-after-poison read 48
  __asan_unpoison_memory_region(block + 16, 16);
  free(block);
  return (int)value;
}
