// One member of a variable is set on one way only.
// SANITIZE: memory
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
  struct pair pair;
  fill(&pair, argc);
  int sum = pair.first + pair.second;
  if (sum == 7) // EXPECT: use-of-uninitialized-value
    puts("seven");
  return 0;
}
