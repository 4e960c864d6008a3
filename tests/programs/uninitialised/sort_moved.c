// Sorting moves a member that was never set along with its item.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

struct item {
  char key, flag;
};

static int order(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return x->key - y->key;
}

int main(int argc, char **argv) {
  (void)argv;
  struct item *items = malloc(100 * sizeof *items);
  if (!items)
    return 1;
  for (int i = 0; i < 100; i++) {
    items[i].key = (char)(99 - i);
    if (i != argc)
      items[i].flag = 0;
  }
  qsort(items, 100, sizeof *items, order);
  for (int i = 0; i < 98; i++)
    if (items[i].flag)
      return 2;
  if (items[98].flag) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(items);
  return 0;
}
