// Variables of all kinds that are set before they are used.
// SANITIZE: memory
// STDOUT: 28 5 12
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void fill(int *array, int n) {
  for (int i = 0; i < n; i++)
    array[i] = i;
}

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

int main(int argc, char **argv) {
  (void)argv;
  int array[16], n = 4 + argc;
  int sized[n];
  int *dynamic = alloca((size_t)n * sizeof *dynamic);
  fill(array, 8 * argc);
  fill(sized, n);
  memset(dynamic, 0, (size_t)n * sizeof *dynamic);
  qsort(array, 8, sizeof *array, compare);
  int sum = 0, key = 5, other = 12;
  for (int i = 0; i < 8; i++)
    sum += array[i] + dynamic[i % n];
  int *found = bsearch(&key, array, 8, sizeof *array, compare);
  printf("%d %d %d\n", sum, found ? *found : -1, other * (sized[1] == 1));
  return 0;
}
