// A lambda that has captured a local variable by reference is called after its function.
#include <cstdio>
#include <functional>

__attribute__((noinline)) static std::function<int()> counter(int from) {
    int count = from;
    return [&count] {
        return ++count; // EXPECT: stack-use-after-return read 4
    };
}

int main() {
    auto next = counter(3);
    std::printf("%d\n", next());
}
