// A structure behind the dots has a member that was never set; it is copied to the stack.
// SANITIZE: memory
#include <stdarg.h>
#include <stdio.h>

struct wide {
  long first, second, third;
};

__attribute__((noinline)) static long chosen(int n, ...) {
  va_list list;
  va_start(list, n);
  long double before = va_arg(list, long double);
  struct wide all = va_arg(list, struct wide);
  va_end(list);
  if (all.first > 7 || before > 2)
    return 1;
  if (all.second > 7) // EXPECT: use-of-uninitialized-value
    puts("big");
  return 3;
}

int main(int argc, char **argv) {
  (void)argv;
  struct wide all;
  all.first = argc;
  all.third = argc;
  printf("%ld\n", chosen(argc, 1.0L, all));
  return 0;
}
