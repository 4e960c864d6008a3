// What a freed block held is uninitialised.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int *block = calloc(4, sizeof *block);
  int *volatile kept = block;
  free(block); // FREED
  if (kept[argc]) // EXPECT: use-of-uninitialized-value
    puts("set");
  return 0;
}
