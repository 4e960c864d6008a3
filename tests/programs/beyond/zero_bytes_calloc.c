// NATIVE: miss calloc(0, n) gives one byte there
#include <stdlib.h>
int main(int argc, char **argv) {
  (void)argv;
  volatile char *nothing = calloc(argc - 1, 8); // ALLOCATED
  char value = nothing[0]; // EXPECT: heap-buffer-overflow read 1
  free((void *)nothing);
  return value;
}
