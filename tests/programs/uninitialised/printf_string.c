// A string that was never set is printed.
// SANITIZE: memory
// NATIVE: miss its printf does not look at strings by default
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(8);
  if (!text)
    return 1;
  text[7] = 0;
  printf("<%s>\n", text); // EXPECT: use-of-uninitialized-value
  free(text);
  return 0;
}
