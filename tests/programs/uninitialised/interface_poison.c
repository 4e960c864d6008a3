// A pool hands out memory anew and says so.
// SANITIZE: memory
// NATIVE: skip it needs a header that comes with its compiler
#include <stdio.h>
#include <string.h>

void __msan_allocated_memory(const volatile void *data, size_t size);
void __msan_unpoison(const volatile void *data, size_t size);
long __msan_test_shadow(const volatile void *data, size_t size);

static int pool[16];

int main(int argc, char **argv) {
  (void)argv;
  memset(pool, 0, sizeof pool);
  __msan_allocated_memory(pool, sizeof pool);
  __msan_unpoison(pool, 8);
  if (__msan_test_shadow(pool, 32) != 8)
    return 1;
  if (pool[argc])
    return 2;
  if (pool[argc + 1]) // EXPECT: use-of-uninitialized-value
    puts("set");
  return 0;
}
