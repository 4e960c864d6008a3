// Far behind on the stack set arguments stay set, whatever earlier calls have left there.
// CFLAGS: -fno-sanitize-memory-param-retval
// STDOUT: 7
// STDOUT: 12
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
  int found = va_arg(list, int);
  va_end(list);
  return n ? found + first.part[n] : found;
}

int main(void) {
  struct big *unset = malloc(sizeof *unset), *set = calloc(1, sizeof *set);
  if (!unset || !set)
    return 1;
  set->part[24999] = 5;
  printf("%d\n", last(0, *unset, 7));
  printf("%d\n", last(24999, *set, 7));
  free(unset);
  free(set);
  return 0;
}
