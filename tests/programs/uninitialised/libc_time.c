// A time that was never set is taken apart.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  time_t *when = malloc(sizeof *when);
  if (!when)
    return 1;
  struct tm *parts = gmtime(when); // EXPECT: use-of-uninitialized-value
  printf("%d\n", parts != NULL);
  free(when);
  return 0;
}
