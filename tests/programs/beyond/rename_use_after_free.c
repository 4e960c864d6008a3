// NATIVE: miss rename is not intercepted there
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *path = strdup("/nonexistent/file"); // ALLOCATED
  free(path); // FREED
  return rename("/nonexistent/other", path) == 0; // EXPECT: heap-use-after-free read
}
