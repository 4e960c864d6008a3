// A function returns what it never set.
// SANITIZE: memory
#include <cstdio>
#include <cstdlib>

__attribute__((noinline)) static int last(int *block, int n) {
  return block[n]; // EXPECT: use-of-uninitialized-value
}

int main(int argc, char **argv) {
  (void)argv;
  int *block = static_cast<int *>(std::malloc(4 * sizeof *block));
  if (!block)
    return 1;
  block[0] = 1;
  std::printf("%d\n", last(block, argc));
  std::free(block);
  return 0;
}
