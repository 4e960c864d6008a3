// memrchr looks for a slash in bytes of which one was never set.
// SANITIZE: memory
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(4);
  if (!text)
    return 1;
  memcpy(text, "a/b", 3);
  puts(memrchr(text, '/', 4) ? "some" : "none"); // EXPECT: use-of-uninitialized-value
  free(text);
  return 0;
}
