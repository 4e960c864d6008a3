// A switch over what every way has set.
// SANITIZE: memory
// STDOUT: end
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  (void)argv;
  char *text = malloc(16);
  if (!text)
    return 1;
  strcpy(text, "abc");
  switch (text[2 + argc]) {
  case 'a': puts("a"); break;
  case 'z': puts("z"); break;
  case 0: puts("end"); break;
  default: break;
  }
  free(text);
  return 0;
}
