// The path is freed after it was opened.
// EXIT: 0
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *path = strdup("/dev/null");
  int file = open(path, O_RDONLY);
  free(path);
  return file < 0;
}
