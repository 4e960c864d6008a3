// A small structure behind the dots comes in registers; one of its members was never set.
// SANITIZE: memory
#include <stdarg.h>
#include <stdio.h>

struct pair {
  long tag;
  double value;
};

__attribute__((noinline)) static void show(int n, ...) {
  va_list list;
  va_start(list, n);
  struct pair one = va_arg(list, struct pair);
  va_end(list);
  if (one.tag != n)
    puts("other");
  if (one.value > 2.5) // EXPECT: use-of-uninitialized-value
    puts("big");
}

int main(int argc, char **argv) {
  (void)argv;
  struct pair one;
  one.tag = argc;
  show(argc, one);
  return 0;
}
