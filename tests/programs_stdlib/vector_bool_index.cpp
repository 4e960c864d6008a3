// A flag behind the last one of a vector of flags.
#include <cstdio>
#include <vector>

int main() {
    std::vector<bool> seen(100);
#ifdef FIXED
    std::size_t wanted = 99;
#else
    std::size_t wanted = 100;
#endif
    seen[wanted] = true; // EXPECT: library-precondition
    std::printf("%d\n", int(seen[0]));
}
