// Structures come and go with members that nobody looks at.
// SANITIZE: memory
// STDOUT: 1 2
#include <stdio.h>

struct pair {
  int first, second;
};
struct big {
  int used, members[20];
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

__attribute__((noinline)) static int first_of(struct pair pair) { return pair.first; }

__attribute__((noinline)) static int used_of(struct big big) { return big.members[big.used]; }

int main(int argc, char **argv) {
  (void)argv;
  struct big big;
  big.used = 3 * argc;
  big.members[big.used] = 2;
  printf("%d %d\n", first_of(make(argc)), used_of(big));
  return 0;
}
