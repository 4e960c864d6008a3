// NATIVE: miss wmemset is not intercepted there
#include <stdlib.h>
#include <wchar.h>
int main(int argc, char **argv) {
  (void)argv;
  wchar_t *line = malloc(8 * sizeof(wchar_t)); // ALLOCATED
  wmemset(line, L'-', 8 + argc); // EXPECT: heap-buffer-overflow write 36
  wchar_t first = line[0];
  free(line);
  return first != L'-';
}
