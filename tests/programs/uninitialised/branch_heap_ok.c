// Only what was written is looked at.
// SANITIZE: memory
// STDOUT: set
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int *block = malloc(8 * sizeof *block);
  int *zeroes = calloc(8, sizeof *zeroes);
  if (!block || !zeroes)
    return 1;
  block[argc] = argc;
  if (block[argc] && !zeroes[argc + 2])
    puts("set");
  free(block);
  free(zeroes);
  return 0;
}
