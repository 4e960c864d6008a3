// One bit-field of a word is set, its neighbour is looked at.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

struct flags {
  unsigned low : 3, high : 5;
};

__attribute__((noinline)) static void set_low(struct flags *flags, unsigned n) { flags->low = n; }

int main(int argc, char **argv) {
  (void)argv;
  struct flags *flags = malloc(sizeof *flags);
  if (!flags)
    return 1;
  set_low(flags, (unsigned)argc);
  if (flags->high == 4) // EXPECT: use-of-uninitialized-value
    puts("four");
  free(flags);
  return 0;
}
