// The element behind the last one of a span.
#include <cstdio>
#include <span>

static int sum(std::span<const int> numbers) {
    int total = 0;
#ifdef FIXED
    for (std::size_t i = 0; i < numbers.size(); ++i)
#else
    for (std::size_t i = 0; i <= numbers.size(); ++i)
#endif
        total += numbers[i]; // EXPECT: library-precondition
    return total;
}

int main() {
    int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    std::printf("%d\n", sum(std::span(numbers).first(4)));
}
