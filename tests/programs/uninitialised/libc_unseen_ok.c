// Flags leave what some families of library functions read unseen.
// SANITIZE: memory
// FLAGS: MSAN_OPTIONS=intercept_strlen=0:intercept_strcmp=0:intercept_memcmp=0:intercept_strchr=0
// STDOUT: 1 1 1 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(8), *other = malloc(8);
  if (!text || !other)
    return 1;
  text[3] = other[3] = 0;
  size_t (*volatile length)(const char *) = strlen;
  int (*volatile compare)(const char *, const char *) = strcmp;
  int (*volatile compare_bytes)(const void *, const void *, size_t) = memcmp;
  char *(*volatile find)(const char *, int) = strchr;
  printf("%d ", length(text) <= 3);
  printf("%d ", compare(text, other) == compare(text, other));
  printf("%d ", compare_bytes(text, other, 3) == compare_bytes(text, other, 3));
  printf("%d\n", find(text, 'x') == find(text, 'x'));
  free(text);
  free(other);
  return 0;
}
