// What was never set stays so in a copy of a copy.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  (void)argv;
  char *text = malloc(32), copy[32], again[32]; // ALLOCATED
  if (!text)
    return 1;
  memset(text, 'a', 8);
  memcpy(copy, text, (size_t)(31 + argc));
  memmove(again + 1, copy, (size_t)(30 + argc));
  free(text);
  if (again[8 + argc] == 'b') // EXPECT: use-of-uninitialized-value
    puts("b");
  return 0;
}
