// The member that is not set is not looked at, but copied along.
// SANITIZE: memory
// STDOUT: one
#include <stdio.h>

struct pair {
  int first, second;
};

__attribute__((noinline)) static void fill(struct pair *p, int n) {
  p->first = n;
  if (n > 5)
    p->second = n;
}

int main(int argc, char **argv) {
  (void)argv;
  struct pair pair, copy;
  fill(&pair, argc);
  copy = pair;
  if (copy.first == 1)
    puts("one");
  return 0;
}
