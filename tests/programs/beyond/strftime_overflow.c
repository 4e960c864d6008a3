// strftime is told of more room than the block has.
// NATIVE: miss strftime is not intercepted there
#include <stdlib.h>
#include <time.h>
int main(void) {
  struct tm when = {.tm_year = 100, .tm_mday = 1};
  char *text = malloc(8); // ALLOCATED
  size_t n = strftime(text, 64, "%Y-%m-%d", &when); // EXPECT: heap-buffer-overflow write
  free(text);
  return n == 0;
}
