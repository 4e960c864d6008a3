// A part of an array was never set.
// SANITIZE: memory
#include <stdio.h>

__attribute__((noinline)) static void fill(int *array, int n) {
  for (int i = 0; i < n; i++)
    array[i] = i;
}

int main(int argc, char **argv) {
  (void)argv;
  int array[16];
  fill(array, 8 * argc);
  int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += array[i];
  if (sum == 28) // EXPECT: use-of-uninitialized-value
    puts("28");
  return 0;
}
