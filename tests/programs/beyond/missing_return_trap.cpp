// Without the optimiser clang puts a trap where a function lacks its return.
// NATIVE: miss handle_sigill is off there
// ONLY: -O0 the optimiser takes the trap away
#include <cstdio>

static int pick(int n) {
    if (n > 2) return 7;
    std::printf("too small: %d\n", n); // EXPECT: ILL
}

int main(int argc, char **) { return pick(argc) < 0; }
