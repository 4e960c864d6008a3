// What is printed was set, in a buffer that was not set as a whole.
// SANITIZE: memory
// STDOUT: <abc> <ab> 2.5
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(64);
  double *numbers = malloc(2 * sizeof *numbers);
  if (!text || !numbers)
    return 1;
  numbers[1] = 2.5;
  int length = snprintf(text, 64, "<%s> <%.2s>", "abc", "abc");
  printf("%.*s %.1f\n", length, text, numbers[1]);
  free(text);
  free(numbers);
  return 0;
}
