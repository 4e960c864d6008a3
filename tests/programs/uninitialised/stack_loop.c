// A variable of a loop's body does not keep its value.
// SANITIZE: memory
// ONLY: -O0 optimisation removes the variable
#include <stdio.h>

__attribute__((noinline)) static void set(int *out) { *out = 1; }

int main(int argc, char **argv) {
  (void)argv;
  int n_set = 0;
  for (int i = 0; i < 2; i++) {
    int flag;
    if (i < argc)
      set(&flag);
    if (flag) // EXPECT: use-of-uninitialized-value
      n_set++;
    set(&n_set);
  }
  printf("%d\n", n_set);
  return 0;
}
