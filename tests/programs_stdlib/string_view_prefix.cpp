// More is taken off a view than it has.
#include <cstdio>
#include <string_view>

static std::string_view behind(std::string_view line, std::size_t n) {
#ifdef FIXED
    if (n > line.size()) return {};
#endif
    line.remove_prefix(n); // EXPECT: library-precondition
    return line;
}

int main() {
    std::printf("%zu\n", behind("key=value", 10).size());
}
