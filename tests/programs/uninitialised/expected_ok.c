// Uses that the program wants, by itself and by the library, and what it learns of their origin.
// NATIVE: skip unless told to go on it ends at a use, expected or not
// STDOUT: 1 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __msan_set_expect_umr(int expects);
unsigned __msan_get_umr_origin(void);
unsigned __msan_get_origin(const volatile void *at);
int __msan_origin_is_descendant_or_same(unsigned origin, unsigned before);
int __msan_get_track_origins(void);

int main(void) {
  volatile int *block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  unsigned made_by = __msan_get_origin(block);
  __msan_set_expect_umr(1);
  int is_odd = 0;
  if (*block == 12345)
    is_odd = puts("odd") > 0;
  __msan_set_expect_umr(0);
  int is_same = __msan_origin_is_descendant_or_same(__msan_get_umr_origin(), made_by);
  __msan_set_expect_umr(1);
  int length = (int)strnlen((char *)(block + 1), 4);
  __msan_set_expect_umr(0);
  printf("%d %d\n", is_same, is_odd + length < 6 && __msan_get_track_origins() == 2);
  free((void *)block);
  return 0;
}
