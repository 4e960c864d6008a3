// The program asks for a check itself.
// SANITIZE: memory
// NATIVE: skip it needs a header that comes with its compiler
#include <stdlib.h>

void __msan_check_mem_is_initialized(const volatile void *data, size_t size);

int main(void) {
  char *block = malloc(8);
  if (!block)
    return 1;
  block[0] = block[1] = 1;
  __msan_check_mem_is_initialized(block, 2);
  __msan_check_mem_is_initialized(block, 3); // EXPECT: use-of-uninitialized-value
  free(block);
  return 0;
}
