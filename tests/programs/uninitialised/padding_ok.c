// Padding is copied, stored and passed on, and nobody looks at it.
// SANITIZE: memory
// STDOUT: 3 x 1.5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
  char letter;
  double number;
  short last;
};

__attribute__((noinline)) static struct padded make(char letter, double number) {
  struct padded made;
  made.letter = letter;
  made.number = number;
  made.last = 3;
  return made;
}

int main(void) {
  struct padded *block = malloc(2 * sizeof *block);
  if (!block)
    return 1;
  block[0] = make('x', 1.5);
  memcpy(&block[1], &block[0], sizeof *block);
  struct padded copy = block[1];
  printf("%d %c %.1f\n", copy.last, copy.letter, copy.number);
  free(block);
  return 0;
}
