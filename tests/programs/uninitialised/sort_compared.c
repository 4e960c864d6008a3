// A comparator looks at a key that was never set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

struct item {
  int key, value;
};

static int order(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return x->key - y->key; // EXPECT: use-of-uninitialized-value
}

int main(int argc, char **argv) {
  (void)argv;
  struct item *items = malloc(4 * sizeof *items);
  if (!items)
    return 1;
  for (int i = 0; i < 4; i++) {
    items[i].value = i;
    if (i != argc)
      items[i].key = 4 - i;
  }
  qsort(items, 4, sizeof *items, order);
  printf("%d\n", items[0].value);
  free(items);
  return 0;
}
