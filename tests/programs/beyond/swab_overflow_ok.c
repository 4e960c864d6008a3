// swab copies what the block has.
// EXIT: 0
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char text[8] = "badcfeh";
  char *out = malloc(6);
  swab(text, out, 6);
  free(out);
  return 0;
}
