// Bounds in the wrong order.
#include <algorithm>
#include <cstdio>

int main(int argc, char **) {
    int lo = 10 * argc, hi = 5 * argc;
#ifdef FIXED
    std::swap(lo, hi);
#endif
    std::printf("%d\n", std::clamp(7, lo, hi)); // EXPECT: library-precondition
}
