// A string whose end was never written.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(16);
  if (!text)
    return 1;
  memcpy(text, "hello", 5);
  text[10] = 0;
  size_t length = strlen(text); // EXPECT: use-of-uninitialized-value
  printf("%zu\n", length);
  free(text);
  return 0;
}
