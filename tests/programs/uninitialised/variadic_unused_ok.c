// Variadic arguments that are unset and never decide; structures with padding; natively made calls.
// CFLAGS: -fno-sanitize-memory-param-retval
// STDOUT: 3 7 6 45 6 2 9
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small {
  char tag;
  int number;
};

struct wide {
  char tag;
  long first, second, third;
};

__attribute__((noinline)) static long sum(int n, ...) {
  va_list list;
  va_start(list, n);
  long total = 0;
  for (int i = 0; i < n; i++) {
    int value = va_arg(list, int);
    int is_wanted = va_arg(list, int);
    total += is_wanted ? value : 0;
  }
  va_end(list);
  return total;
}

__attribute__((noinline)) static long members(int n, ...) {
  va_list list;
  va_start(list, n);
  long total = va_arg(list, struct small).number;
  struct wide all = va_arg(list, struct wide);
  total += all.first + all.third;
  long double more = va_arg(list, long double);
  __int128 big = va_arg(list, __int128);
  va_end(list);
  return total + (long)more + (long)big;
}

__attribute__((noinline)) static long many(int n, ...) {
  va_list list;
  va_start(list, n);
  double total = 0;
  for (int i = 0; i < n; i++)
    total += va_arg(list, double);
  va_end(list);
  return (long)total;
}

__attribute__((noinline)) static int first_of(void *data, ...) {
  va_list list;
  va_start(list, data);
  int value = data ? *(int *)data : va_arg(list, int);
  va_end(list);
  return value;
}

static void *begin(void *data) {
  return first_of(data) > 1 ? data : NULL;
}

__attribute__((noinline)) static int compare(const void *a, const void *b, ...) {
  va_list list;
  va_start(list, b);
  va_end(list);
  return *(const char *)a - *(const char *)b;
}

typedef int order(const void *, const void *);

int main(void) {
  volatile int *block = malloc(2 * sizeof *block);
  if (!block)
    return 1;
  int unset = block[1];
  block[0] = 3;
  printf("%ld ", sum(3, unset, 0, block[0], 1, unset, 0));
  printf("%ld ", sum(1, 7, 1));
  struct small some;
  some.number = 1;
  struct wide all;
  all.first = all.third = 1;
  printf("%ld ", members(2, some, all, 1.5L, (__int128)2));
  printf("%ld ", many(10, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
  int six = 6, two = 2;
  first_of(&six, unset, unset, unset);
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, begin, &six);
  pthread_join(thread, &result);
  printf("%d ", result ? *(int *)result : 0);
  char letters[] = "zyxwv";
  compare(letters, letters, unset, unset);
  qsort(letters, 5, 1, (order *)(void *)compare);
  printf("%d ", first_of(&two, unset));
  printf("%d\n", letters[0] == 'v' ? 9 : 0);
  free((void *)block);
  return 0;
}
