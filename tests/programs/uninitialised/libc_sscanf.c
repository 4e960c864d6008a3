// The text of sscanf has a digit that was never set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(8);
  int number = 0;
  if (!text)
    return 1;
  text[0] = '1';
  text[2] = '\0';
  if (sscanf(text, "%d", &number) == 1) // EXPECT: use-of-uninitialized-value
    printf("%d\n", number);
  free(text);
  return 0;
}
