// Variadic functions with arguments of all kinds, in registers and on the stack.
// SANITIZE: memory
// STDOUT: 78 4.5 <a-b>
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) static int sum(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  int total = 0;
  while (n-- > 0)
    total += va_arg(list, int) + 0 * va_arg(again, int);
  va_end(list);
  va_end(again);
  return total;
}

__attribute__((noinline)) static double widest(int n, ...) {
  va_list list;
  va_start(list, n);
  double most = 0;
  for (int i = 0; i < n; i++) {
    double next = va_arg(list, double);
    most = next > most ? next : most;
  }
  va_end(list);
  return most;
}

__attribute__((noinline)) static void text(char *out, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(out, size, format, list);
  va_end(list);
}

int main(void) {
  char out[16];
  text(out, sizeof out, "<%s-%s>", "a", "b");
  int total = sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  printf("%d %.1f %s\n", total, widest(3, 1.5, 4.5, 2.0), out);
  return 0;
}
