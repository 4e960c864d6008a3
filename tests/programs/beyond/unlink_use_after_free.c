// NATIVE: miss unlink is not intercepted there
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char *path = strdup("/nonexistent/file"); // ALLOCATED
  free(path); // FREED
  return unlink(path) == 0; // EXPECT: heap-use-after-free read
}
