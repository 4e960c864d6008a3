// Loops that the compiler may make vectors of, over what was set.
// SANITIZE: memory
// STDOUT: 2016 63 96.0
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  int n = 64 * argc;
  int *block = malloc((size_t)(n + 16) * sizeof *block);
  float *halves = malloc((size_t)(n + 16) * sizeof *halves);
  unsigned char *bytes = malloc((size_t)n + 16);
  if (!block || !halves || !bytes)
    return 1;
  for (int i = 0; i < n; i++) {
    block[i] = i;
    halves[i] = (float)(i & 3);
    bytes[i] = (unsigned char)(i ^ 1);
  }
  int sum = 0, most = 0;
  float all = 0;
  for (int i = 0; i < n; i++) {
    sum += block[i];
    most = bytes[i] > most ? bytes[i] : most;
    all += halves[i];
  }
  printf("%d %d %.1f\n", sum, most, all);
  free(block);
  free(halves);
  free(bytes);
  return 0;
}
