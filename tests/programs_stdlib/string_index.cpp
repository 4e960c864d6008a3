// A character behind the end of a string, beyond its zero.
#include <cstdio>
#include <string>

int main(int argc, char **) {
    std::string word = "twelve bytes";
#ifdef FIXED
    std::size_t at = word.size() - argc;
#else
    std::size_t at = word.size() + argc;
#endif
    std::printf("%d\n", word[at] != 0); // EXPECT: library-precondition
}
