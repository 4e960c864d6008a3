// The value of an expected that holds an error.
#include <cstdio>
#include <expected>

static std::expected<int, int> half(int n) {
    if (n % 2) return std::unexpected(n);
    return n / 2;
}

int main() {
    auto result = half(7);
#ifdef FIXED
    result = half(8);
#endif
    std::printf("%d\n", *result); // EXPECT: library-precondition
}
