// NATIVE: miss setenv is not intercepted there
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *value = strdup("value"); // ALLOCATED
  free(value); // FREED
  return setenv("KEY", value, 1); // EXPECT: heap-use-after-free read
}
