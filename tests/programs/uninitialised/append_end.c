// strcat looks for the end of a string that was never begun.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *whole = malloc(16);
  if (!whole)
    return 1;
  whole[3] = '\0';
  strcat(whole, "abc"); // EXPECT: use-of-uninitialized-value
  puts(whole + 3);
  free(whole);
  return 0;
}
