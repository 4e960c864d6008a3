// An argument that was never set, which nobody looks at: allowed when the compiler is told so.
// CFLAGS: -fno-sanitize-memory-param-retval
// STDOUT: 3
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int keep(int value, int *where, int wanted) {
  *where = value;
  return wanted;
}

int main(void) {
  int where;
  volatile int *block = malloc(sizeof *block);
  if (!block)
    return 1;
  printf("%d\n", keep(*block, &where, 3));
  free((void *)block);
  return 0;
}
