// A path is opened after its memory was freed.
// NATIVE: miss open is not intercepted there
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *path = strdup("/dev/null"); // ALLOCATED
  free(path); // FREED
  return open(path, O_RDONLY) == 0; // EXPECT: heap-use-after-free read
}
