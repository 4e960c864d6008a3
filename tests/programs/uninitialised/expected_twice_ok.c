// Each announcement is for the uses up to the next one; several may come.
// NATIVE: skip unless told to go on it ends at a use, expected or not
// STDOUT: ok
#include <stdio.h>
#include <stdlib.h>

void __msan_set_expect_umr(int expects);

int main(void) {
  volatile char *block = malloc(8);
  if (!block)
    return 1;
  int sum = 0;
  for (int round = 0; round < 2; round++) {
    __msan_set_expect_umr(1);
    for (int i = 0; i < 4; i++)
      if (block[4 * round + i] == 1)
        sum += puts("one") > 0;
    __msan_set_expect_umr(0);
  }
  puts(sum <= 8 ? "ok" : "odd");
  free((void *)block);
  return 0;
}
