// NATIVE: miss stpncpy is not intercepted there
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  (void)argv;
  char *out = malloc(8); // ALLOCATED
  stpncpy(out, "ab", 8 + argc); // EXPECT: heap-buffer-overflow write 9
  char first = out[0];
  free(out);
  return first != 'a';
}
