// A counter that was never set is added to, and its old value decides.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *block = malloc(2 * sizeof *block);
  if (!block)
    return 1;
  block[0] = 0;
  if (__atomic_fetch_add(&block[0], 1, __ATOMIC_SEQ_CST))
    return 2;
  if (__atomic_fetch_add(&block[1], 1, __ATOMIC_SEQ_CST)) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(block);
  return 0;
}
