// An index from outside into an array of the library.
#include <array>
#include <cstdio>

int main(int argc, char **) {
    std::array<int, 4> table{2, 3, 5, 7};
#ifdef FIXED
    std::size_t at = 2 + argc;
#else
    std::size_t at = 3 + argc;
#endif
    std::printf("%d\n", table[at]); // EXPECT: library-precondition
}
