// NATIVE: miss strsep is not intercepted there
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *text = strdup("a,b"); // ALLOCATED
  char *rest = text;
  free(text); // FREED
  return strsep(&rest, ",") == NULL; // EXPECT: heap-use-after-free
}
