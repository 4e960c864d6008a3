// A function that has a value ends without one: LLVM lets it run into the next function.
// NATIVE: miss only -fsanitize=return looks for it
// ONLY: -O1 -O2 LLVM puts a trap there without the optimiser
#include <cstdio>

static int pick(int n) {
    if (n > 2) return 7;
    return std::printf("small %d\n", n), 3;
}

__attribute__((noinline)) static int pick_half(int n) {
    if (n > 2) return pick(n) / 2;
    std::printf("too small: %d\n", n); // EXPECT: unreachable-call
}

int main(int argc, char **) {
    int picked = pick_half(argc);
    return std::printf("%d\n", picked) < 0;
}
