// Arguments behind the dots keep their bits behind 100,000 bytes of others, and in wide structures.
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct big {
  int part[25000];
};

__attribute__((noinline)) static int last(int n, ...) {
  va_list list;
  va_start(list, n);
  struct big first = va_arg(list, struct big);
  struct big second = va_arg(list, struct big);
  int found = va_arg(list, int);
  va_end(list);
  if (second.part[24999] == 3) // EXPECT: use-of-uninitialized-value
    puts("three");
  return first.part[0] + found;
}

int main(void) {
  struct big *blocks = calloc(1, sizeof *blocks);
  struct big *other = malloc(sizeof *other);
  if (!blocks || !other)
    return 1;
  for (int i = 0; i < 24999; i++)
    other->part[i] = i;
  printf("%d\n", last(1, *blocks, *other, 5));
  free(blocks);
  free(other);
  return 0;
}
