// strcat copies what was never set; the use is where the copy decides.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(8), whole[16] = "x";
  if (!text)
    return 1;
  text[0] = 'a';
  text[2] = '\0';
  strcat(whole, text);
  if (whole[2] == 'b') // EXPECT: use-of-uninitialized-value
    puts("b");
  free(text);
  return 0;
}
