// One thread sorts what another one sums up.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

int main() {
    std::vector<int> numbers(50);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    std::thread sorter([&] {
        std::sort(numbers.begin(), numbers.end()); // EXPECT: data race
    });
#ifdef FIXED
    sorter.join();
#endif
    int sum = std::accumulate(numbers.begin(), numbers.end(), 0); // PREVIOUS
#ifndef FIXED
    sorter.join();
#endif
    std::printf("%d\n", sum != 0);
}
