// What was set behind a number of 128 bits, for which one register was left, is set there.
// STDOUT: 15
// STDOUT: one
// STDOUT: 16
// EXIT: 0
// CFLAGS: -fno-sanitize-memory-param-retval
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void both(int a, int b, int c, int d, int e, ...) {
  va_list list;
  va_start(list, e);
  long one = va_arg(list, long);
  long other = va_arg(list, long);
  va_end(list);
  printf("%d\n", a + b + c + d + e);
  if (one == 1)
    puts("one");
  if (other == 2)
    puts("two");
}

__attribute__((noinline)) static void wide(int a, int b, int c, int d, __int128 e, ...) {
  va_list list;
  va_start(list, e);
  long one = va_arg(list, long);
  __int128 other = va_arg(list, __int128);
  va_end(list);
  printf("%d\n", a + b + c + d + (int)e + (int)one);
  if ((long)other == 2)
    puts("two");
}

int main(void) {
  volatile long *block = malloc(sizeof *block);
  if (!block)
    return 1;
  *block = 1;
  both(1, 2, 3, 4, 5, 1L, *block);
  wide(1, 2, 3, 4, 5, 1L, (__int128)*block);
  free((void *)block);
  return 0;
}
