// A comparator of bsearch looks at a member that was never set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

struct item {
  int key, weight;
};

static int by_weight(const void *a, const void *b) {
  const struct item *first = a, *second = b;
  if (first->weight != second->weight) // EXPECT: use-of-uninitialized-value
    puts("other");
  return 0;
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
  struct item wanted = {argc, argc};
  if (search(&wanted, items, 3, sizeof *items, by_weight))
    puts("found");
  free(items);
  return 0;
}
