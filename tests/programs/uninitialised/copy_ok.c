// Copies of what was set, and blocks that grow and shrink.
// SANITIZE: memory
// STDOUT: 7 7 z
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  (void)argv;
  int *block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  block[argc] = 7;
  block = realloc(block, 400 * sizeof *block);
  if (!block)
    return 1;
  int copy[8];
  memcpy(copy, block, sizeof copy);
  char text[16];
  memset(text, 'z', (size_t)(15 + argc));
  memmove(text + 3, text, 5);
  if (copy[argc] == block[1] && text[8] == 'z')
    printf("%d %d %c\n", copy[1], block[argc], text[4]);
  free(block);
  return 0;
}
