// Told that results need not be set, bsearch uses what its comparator gives.
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdio.h>
#include <stdlib.h>

struct item {
  int key, weight;
};

static int by_weight(const void *a, const void *b) {
  const struct item *first = a, *second = b;
  return first->key - second->key + second->weight;
}

static void *(*volatile search)(const void *, const void *, size_t, size_t,
                                int (*)(const void *, const void *)) = bsearch;

int main(int argc, char **argv) {
  (void)argv;
  struct item *items = malloc(3 * sizeof *items);
  if (!items)
    return 1;
  for (int i = 0; i < 3; i++)
    items[i].key = i;
  items[0].weight = items[2].weight = 0;
  struct item wanted = {argc, 0};
  if (search(&wanted, items, 3, sizeof *items, by_weight)) // EXPECT: use-of-uninitialized-value
    puts("found");
  free(items);
  return 0;
}
