// A result that was never set is handed from call to call and overwritten.
// CFLAGS: -fno-sanitize-memory-param-retval
// STDOUT: 5
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int fetch(const volatile int *at) {
  return *at;
}

__attribute__((noinline)) static int choose(const volatile int *at, int *out, int wanted) {
  *out = fetch(at);
  *out = wanted;
  return *out;
}

int main(void) {
  int out;
  volatile int *block = malloc(sizeof *block);
  if (!block)
    return 1;
  printf("%d\n", choose(block, &out, 5));
  free((void *)block);
  return 0;
}
