// Captured by value; captured by reference and called in time.
// STDOUT: 4 9
#include <cstdio>
#include <functional>

__attribute__((noinline)) static std::function<int()> counter(int from) {
    int count = from;
    return [count]() mutable { return ++count; };
}

__attribute__((noinline)) static int thrice(const std::function<void()> &step) {
    for (int i = 0; i < 3; i++)
        step();
    return 0;
}

int main() {
    auto next = counter(3);
    int sum = 0;
    thrice([&sum] { sum += 3; });
    std::printf("%d %d\n", next(), sum);
}
