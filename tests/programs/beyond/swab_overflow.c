// swab copies more bytes than the block has.
// NATIVE: miss swab is not intercepted there
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char text[8] = "badcfeh";
  char *out = malloc(6); // ALLOCATED
  swab(text, out, 8); // EXPECT: heap-buffer-overflow write 8
  free(out);
  return 0;
}
