// A flag leaves one family unseen, and no other.
// SANITIZE: memory
// FLAGS: MSAN_OPTIONS=intercept_strlen=0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(8);
  if (!text)
    return 1;
  text[3] = 0;
  size_t (*volatile length)(const char *) = strlen;
  char *(*volatile find)(const char *, int) = strchr;
  size_t n = length(text);
  char *found = find(text, 0); // EXPECT: use-of-uninitialized-value
  printf("%d\n", found == text + n);
  free(text);
  return 0;
}
