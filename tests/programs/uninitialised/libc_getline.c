// getline takes the place of its line for a block, and it was never set.
// SANITIZE: memory
// STDIN: a line
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line;
  size_t size = 0;
  ssize_t n = getline(&line, &size, stdin); // EXPECT: use-of-uninitialized-value
  printf("%zd\n", n);
  return 0;
}
