// Items with members that are never set are searched by what is set.
// CFLAGS: -fno-sanitize-memory-param-retval
// STDOUT: 20 -1
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  int key, weight;
};

static int by_key(const void *a, const void *b) {
  const struct item *first = a, *second = b;
  return first->key - second->key;
}

static void *(*volatile search)(const void *, const void *, size_t, size_t,
                                int (*)(const void *, const void *)) = bsearch;

static int weight_of(const struct item *items, size_t n, int key) {
  struct item wanted;
  wanted.key = key;
  const struct item *found = search(&wanted, items, n, sizeof wanted, by_key);
  if (found && !lfind(&wanted, items, &n, sizeof wanted, by_key))
    return 0;
  return found ? found->weight : -1;
}

int main(void) {
  struct item *items = malloc(4 * sizeof *items);
  if (!items)
    return 1;
  for (int i = 0; i < 4; i++)
    items[i].key = 2 * i;
  items[2].weight = 20;
  printf("%d ", weight_of(items, 4, 4));
  printf("%d\n", weight_of(items, 4, 5));
  free(items);
  return 0;
}
