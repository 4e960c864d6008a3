// An unchecked function may decide by what was never set, and what it writes counts as initialised.
// STDOUT: ok
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, no_sanitize("memory"))) static int guess(const int *at, int *out) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += at[i] > 0;
  out[0] = at[1];
  out[1] = at[2] & 3;
  return sum;
}

__attribute__((noinline, no_sanitize_memory)) static int older_word(const int *at) {
  return at[3] == 17 ? 1 : 0;
}

int main(void) {
  int out[2];
  int *block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  int sum = guess(block, out) + older_word(block);
  puts(sum < 6 && (out[0] == 17 || out[1] < 4) ? "ok" : "odd");
  free(block);
  return 0;
}
