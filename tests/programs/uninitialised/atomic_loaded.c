// A number that was never set is loaded atomically, and decides.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int *block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  __atomic_store_n(&block[0], 0, __ATOMIC_RELEASE);
  if (__atomic_load_n(&block[argc - 1], __ATOMIC_ACQUIRE))
    return 2;
  if (__atomic_load_n(&block[argc], __ATOMIC_ACQUIRE)) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(block);
  return 0;
}
