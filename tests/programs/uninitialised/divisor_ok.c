// An unset dividend makes an unset quotient, which nobody looks at.
// SANITIZE: memory
// EXIT: 0
#include <stdlib.h>

volatile long result;

int main(int argc, char **argv) {
  (void)argv;
  long *sizes = malloc(3 * sizeof *sizes);
  if (!sizes)
    return 1;
  sizes[argc] = 7;
  sizes[0] = sizes[2] / sizes[argc];
  result = sizes[argc] / sizes[argc];
  free(sizes);
  return 0;
}
