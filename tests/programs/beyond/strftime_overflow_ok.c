// strftime is told of the room that the block has.
// EXIT: 0
#include <stdlib.h>
#include <time.h>
int main(void) {
  struct tm when = {.tm_year = 100, .tm_mday = 1};
  char *text = malloc(8);
  size_t n = strftime(text, 8, "%Y-%m-%d", &when);
  free(text);
  return n != 0;
}
