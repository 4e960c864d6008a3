// A switch over a variable that one way has left unset.
// SANITIZE: memory
#include <stdio.h>

__attribute__((noinline)) static void choose(int *out, int n) {
  if (n > 3)
    *out = n;
}

int main(int argc, char **argv) {
  (void)argv;
  int chosen;
  choose(&chosen, argc);
  switch (chosen) { // EXPECT: use-of-uninitialized-value
  case 1: puts("one"); break;
  case 17: puts("seventeen"); break;
  case 40: puts("forty"); break;
  default: break;
  }
  return 0;
}
