// Structures are passed by value, in memory: padding, members that nobody asks for, by pointer.
// SANITIZE: memory
// STDOUT: 3 4 3 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wide {
  char tag;
  long first, second, third;
};

typedef long chooser(int, struct wide, struct wide);

__attribute__((noinline)) static long chosen(int n, struct wide all, struct wide other) {
  if (n > 7 || all.first > 5)
    return 1;
  return other.third > 5 ? 4 : 3;
}

__attribute__((noinline)) static long passed_on(chooser *choose, struct wide all) {
  struct wide set;
  memset(&set, 9, sizeof set);
  return choose(1, all, set);
}

static int order(const void *a, const void *b) {
  struct wide x = *(const struct wide *)a, y = *(const struct wide *)b;
  return (chosen(1, x, y) == 1) - (chosen(1, y, x) == 1);
}

int main(int argc, char **argv) {
  (void)argv;
  struct wide all, items[2];
  all.first = all.third = argc;
  all.tag = 'a';
  chooser *volatile choose = chosen;
  printf("%ld ", choose(argc, all, all));
  printf("%ld ", passed_on(choose, all));
  items[0] = items[1] = all;
  qsort(items, 2, sizeof *items, order);
  printf("%ld %ld\n", chosen(1, items[0], items[1]), chosen(1, items[1], all));
  return 0;
}
