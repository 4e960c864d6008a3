// Sorting and searching: items with padding and parts that nobody looks at.
// SANITIZE: memory
// STDOUT: 0 1 2 3 4 5 6 7 8 9 77 found 5 5
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  char key;
  long value;
  char text[30];
};

static int order(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static int order_by(const void *a, const void *b, void *sign) {
  return *(int *)sign * order(a, b);
}

static int order_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

__attribute__((noinline)) static void stain(void) {
  volatile struct item rest[20], again[20];
  for (int i = 0; i < 20; i++)
    again[i].value = rest[i].value;
}

int main(void) {
  struct item *items = malloc(10 * sizeof *items), wanted;
  if (!items)
    return 1;
  for (int i = 0; i < 10; i++) {
    items[i].key = (char)(i * 7 % 10);
    items[i].value = items[i].key * 7;
    strcpy(items[i].text, "x");
  }
  stain();
  qsort(items, 10, sizeof *items, order);
  long sum = 0;
  for (int i = 0; i < 10; i++) {
    printf("%d ", items[i].key);
    sum += items[i].value;
  }
  int sign = -1;
  qsort_r(items, 10, sizeof *items, order_by, &sign);
  printf("%ld ", items[9].key == 0 && sum == 315 ? 77 : sum);
  qsort(items, 10, sizeof *items, order);
  wanted.key = 5;
  struct item *found = bsearch(&wanted, items, 10, sizeof *items, order);
  const char *texts[3] = {"c", "a", "b"};
  qsort(texts, 3, sizeof *texts, order_texts);
  printf("%s %td ", found && texts[0][0] == 'a' ? "found" : "lost", found ? found - items : -1);
  printf("%td\n", found ? (ptrdiff_t)(found->value / 7) : 0);
  free(items);
  return 0;
}
