// A bit that a bitset does not have.
#include <bitset>
#include <cstdio>

int main(int argc, char **) {
    std::bitset<48> days;
#ifdef FIXED
    std::size_t day = 46 + argc;
#else
    std::size_t day = 47 + argc;
#endif
    days[day] = true; // EXPECT: library-precondition
    std::printf("%zu\n", days.count());
}
