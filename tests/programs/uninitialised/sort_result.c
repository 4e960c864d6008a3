// A comparator gives a result that was never set, and qsort branches on it.
// SANITIZE: memory
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdio.h>
#include <stdlib.h>

static int *block;

static int order(const void *a, const void *b) {
  (void)a;
  (void)b;
  return block[3];
}

int main(void) {
  int items[3] = {3, 1, 2};
  block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  qsort(items, 3, sizeof *items, order); // EXPECT: use-of-uninitialized-value
  printf("%d\n", items[0] + items[1] + items[2]);
  free(block);
  return 0;
}
