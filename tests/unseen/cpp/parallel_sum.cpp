// Parallel algorithms by hand: chunked accumulate, merge sort in tasks, a histogram, prefix sums.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <future>
#include <iostream>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

template <class It, class T> static T parallel_accumulate(It first, It last, T start, unsigned n) {
    const auto length = std::distance(first, last);
    std::vector<T> parts(n);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < n; i++)
        threads.emplace_back([=, &parts] { parts[i] = std::accumulate(first + length * i / n, first + length * (i + 1) / n, T{}); });
    std::for_each(threads.begin(), threads.end(), std::mem_fn(&std::thread::join));
    return std::accumulate(parts.begin(), parts.end(), start);
}

static void merge_sort(std::vector<uint32_t> &values, size_t from, size_t to, int depth) {
    if (to - from < 2) return;
    size_t middle = from + (to - from) / 2;
    if (depth > 0) {
        auto left = std::async(std::launch::async, [&] { merge_sort(values, from, middle, depth - 1); });
        merge_sort(values, middle, to, depth - 1);
        left.get();
    } else {
        merge_sort(values, from, middle, 0);
        merge_sort(values, middle, to, 0);
    }
    std::inplace_merge(values.begin() + long(from), values.begin() + long(middle), values.begin() + long(to));
}

int main() {
    std::vector<uint32_t> values(1200);
    std::mt19937 random(5);
    std::generate(values.begin(), values.end(), random);
    uint64_t expected = std::accumulate(values.begin(), values.end(), uint64_t{0});
    assert(parallel_accumulate(values.begin(), values.end(), uint64_t{0}, 4) == expected);
    std::cout << expected << '\n';

    auto sorted = values;
    merge_sort(sorted, 0, sorted.size(), 2);
    assert(std::is_sorted(sorted.begin(), sorted.end()) && std::is_permutation(sorted.begin(), sorted.begin() + 1, sorted.begin()));
    std::cout << sorted.front() << ' ' << sorted.back() << '\n';

    std::array<std::atomic<int>, 8> histogram{};
    std::atomic<size_t> next{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&] {
            for (size_t from; (from = next.fetch_add(100)) < values.size();)
                for (size_t i = from; i < std::min(from + 100, values.size()); i++) histogram[values[i] >> 29].fetch_add(1, std::memory_order_relaxed);
        });
    for (auto &thread : threads) thread.join();
    int total = 0;
    for (auto &bin : histogram) total += bin;
    std::cout << total << ' ' << histogram[0] << '\n';

    std::vector<long> prefix(64, 1), scratch(64);
    for (size_t step = 1; step < prefix.size(); step *= 2) {
        std::vector<std::thread> pair;
        for (size_t half = 0; half < 2; half++)
            pair.emplace_back([&, half] {
                for (size_t i = half * 32; i < half * 32 + 32; i++) scratch[i] = prefix[i] + (i >= step ? prefix[i - step] : 0);
            });
        for (auto &thread : pair) thread.join();
        prefix.swap(scratch);
    }
    std::cout << prefix[10] << ' ' << prefix.back() << '\n';
}
