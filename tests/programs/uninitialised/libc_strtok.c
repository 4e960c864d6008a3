// strtok looks at a text whose middle was never set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(8);
  if (!text)
    return 1;
  text[0] = 'a';
  text[4] = '\0';
  char *first = strtok(text, ","); // EXPECT: use-of-uninitialized-value
  puts(first ? "some" : "none");
  free(text);
  return 0;
}
