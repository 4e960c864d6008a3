// Blocks are freed and allocated again, and set again before they are used.
// SANITIZE: memory
// STDOUT: 4950
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++) {
    int *block = malloc(16);
    if (!block)
      return 1;
    block[2] = i;
    sum += block[2];
    free(block);
  }
  printf("%d\n", sum);
  return 0;
}
