// Bit-fields of a word are set one by one and looked at one by one.
// SANITIZE: memory
// STDOUT: 1 9
#include <stdio.h>
#include <stdlib.h>

struct flags {
  unsigned low : 3, high : 5, never : 7;
};

__attribute__((noinline)) static void set_low(struct flags *flags, unsigned n) { flags->low = n; }
__attribute__((noinline)) static void set_high(struct flags *flags, unsigned n) { flags->high = n; }

int main(int argc, char **argv) {
  (void)argv;
  struct flags *flags = malloc(sizeof *flags);
  if (!flags)
    return 1;
  set_low(flags, (unsigned)argc);
  if (flags->low == 1)
    set_high(flags, 9);
  printf("%u %u\n", flags->low, flags->high);
  free(flags);
  return 0;
}
