// Two equal structures are compared with their padding.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
  char letter;
  int number;
};

__attribute__((noinline)) static struct padded *make(char letter, int number) {
  struct padded *made = malloc(sizeof *made);
  if (!made)
    exit(1);
  made->letter = letter;
  made->number = number;
  return made;
}

int main(int argc, char **argv) {
  (void)argv;
  struct padded *first = make('a', argc), *second = make('a', 1);
  if (memcmp(first, second, sizeof *first) == 0) // EXPECT: use-of-uninitialized-value
    puts("same");
  free(first);
  free(second);
  return 0;
}
