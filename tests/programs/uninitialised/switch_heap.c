// A switch over a byte of a buffer of which only the beginning was filled.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  (void)argv;
  char *text = malloc(16);
  if (!text)
    return 1;
  memcpy(text, "abc", 3);
  switch (text[2 + argc]) { // EXPECT: use-of-uninitialized-value
  case 'a': puts("a"); break;
  case 'z': puts("z"); break;
  case 0: puts("end"); break;
  default: break;
  }
  free(text);
  return 0;
}
