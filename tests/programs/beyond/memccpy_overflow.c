// NATIVE: miss memccpy is not intercepted there
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  (void)argv;
  char *out = malloc(4); // ALLOCATED
  const char *text = argc == 1 ? "keys=value" : "key=value";
  void *end = memccpy(out, text, '=', strlen(text)); // EXPECT: heap-buffer-overflow write 5
  char first = out[0];
  free(out);
  return end == NULL || first != 'k';
}
