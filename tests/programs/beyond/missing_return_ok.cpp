// The same function with its return, and ends that are never reached.
// STDOUT: small 1
// STDOUT: too small: 1
// STDOUT: 3
#include <cstdio>
#include <cstdlib>

static int pick(int n) {
    if (n > 2) return 7;
    return std::printf("small %d\n", n), 3;
}

__attribute__((noinline)) static int pick_half(int n) {
    if (n > 2) return pick(n) / 2;
    int picked = pick(n);
    std::printf("too small: %d\n", n);
    return picked;
}

__attribute__((noinline)) static int must(int n) {
    if (n > 0) return n;
    std::puts("not positive");
    std::exit(3);
}

int main(int argc, char **) {
    switch (argc & 1) {
    case 0: return 0;
    case 1: return std::printf("%d\n", must(pick_half(argc))) < 0;
    default: __builtin_unreachable();
    }
}
