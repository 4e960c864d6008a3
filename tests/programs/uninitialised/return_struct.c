// A structure comes back with a member that was never set.
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

__attribute__((noinline)) static struct pair make(int n) {
  struct pair pair;
  fill(&pair, n);
  return pair;
}

int main(int argc, char **argv) {
  (void)argv;
  struct pair pair = make(argc);
  if (pair.second > 9) // EXPECT: use-of-uninitialized-value
    puts("big");
  return 0;
}
