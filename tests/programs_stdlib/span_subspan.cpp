// A part of a span that reaches beyond it.
#include <cstdio>
#include <span>

int main() {
    int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    std::span<int> all(numbers);
    std::size_t n = 6;
#ifdef FIXED
    n = 4;
#endif
    auto tail = all.subspan(4, n); // EXPECT: library-precondition
    std::printf("%d\n", tail[0]);
}
