// A function object refers to a variable of a call that has returned.
#include <cstdio>
#include <functional>

static std::function<int(int)> adder(int n) {
#ifdef FIXED
    return [n](int m) { return n + m; };
#else
    return [&n](int m) { return n + m; }; // EXPECT: stack-use-after-return|stack-use-after-scope
#endif
}

int main() {
    auto add = adder(5);
    std::printf("%d\n", add(3));
}
