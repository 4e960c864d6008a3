// Neither of two values was set: the origin is that of the one that was chosen.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  volatile int *left = malloc(sizeof *left); // ALLOCATED
  volatile int *right = malloc(sizeof *right);
  if (!left || !right)
    return 1;
  int first = *left, second = *right;
  int chosen = argc > 0 ? first : second;
  if (chosen > 7) // EXPECT: use-of-uninitialized-value
    puts("big");
  free((void *)left);
  free((void *)right);
  return 0;
}
