// The value of an optional that has none.
#include <cstdio>
#include <optional>

static std::optional<int> parse(const char *text) {
    if (*text < '0' || *text > '9') return std::nullopt;
    return *text - '0';
}

int main() {
    auto value = parse("x");
#ifdef FIXED
    if (!value) value = 0;
#endif
    std::printf("%d\n", *value); // EXPECT: library-precondition
}
