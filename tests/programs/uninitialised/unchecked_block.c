// A block that an unchecked function gives out is as uninitialised as any.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, no_sanitize("memory"))) static int *make(int length) {
  int *made = malloc(sizeof(int) * (size_t)length);
  if (made)
    made[0] = length;
  return made;
}

int main(int argc, char **argv) {
  (void)argv;
  int *block = make(argc + 3);
  if (!block || block[0] < 4)
    return 1;
  if (block[argc]) // EXPECT: use-of-uninitialized-value
    puts("set");
  free(block);
  return 0;
}
