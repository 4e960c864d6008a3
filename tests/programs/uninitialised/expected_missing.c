// The program announces a use that does not come.
// NATIVE: miss it says so without a summary
#include <stdlib.h>

void __msan_set_expect_umr(int expects);

int main(void) {
  volatile int *block = calloc(1, sizeof *block);
  if (!block)
    return 1;
  __msan_set_expect_umr(1);
  int is_set = *block ? 1 : 0;
  __msan_set_expect_umr(0); // EXPECT: missing-use-of-uninitialized-value
  free((void *)block);
  return is_set;
}
