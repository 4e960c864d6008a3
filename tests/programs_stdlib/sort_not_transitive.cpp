// A comparator without an order: paper, scissors and stone.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> hands;
    for (int i = 0; i < 60; ++i) hands.push_back(i % 3);
#ifdef FIXED
    auto beats = [](int a, int b) { return a < b; };
#else
    auto beats = [](int a, int b) { return (a + 1) % 3 == b; };
#endif
    std::sort(hands.begin(), hands.end(), beats); // EXPECT: library-precondition
    std::printf("%zu\n", hands.size());
}
