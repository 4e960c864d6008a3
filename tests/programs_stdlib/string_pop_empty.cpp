// One character too many is taken from the end of a string.
#include <cstdio>
#include <string>

int main() {
    std::string digits = "120";
    int n = 4;
#ifdef FIXED
    n = 3;
#endif
    for (int i = 0; i < n; ++i)
        digits.pop_back(); // EXPECT: library-precondition
    std::printf("%zu\n", digits.size());
}
