// A structure is passed by value, in memory, and one member was never set.
// SANITIZE: memory
#include <stdio.h>

struct wide {
  long first, second, third;
};

__attribute__((noinline)) static long chosen(int n, struct wide all) {
  return n + all.first + all.second; // EXPECT: use-of-uninitialized-value
}

int main(int argc, char **argv) {
  (void)argv;
  struct wide all;
  all.first = argc;
  all.third = argc;
  printf("%ld\n", chosen(argc, all));
  return 0;
}
