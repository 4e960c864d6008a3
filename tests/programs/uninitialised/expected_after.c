// One use was expected and came; the next one is told.
// NATIVE: skip unless told to go on it ends at a use, expected or not
#include <stdio.h>
#include <stdlib.h>

void __msan_set_expect_umr(int expects);

int main(void) {
  volatile int *block = malloc(2 * sizeof *block);
  if (!block)
    return 1;
  __msan_set_expect_umr(1);
  if (block[0])
    puts("set");
  __msan_set_expect_umr(0);
  if (block[1]) // EXPECT: use-of-uninitialized-value
    puts("set");
  free((void *)block);
  return 0;
}
