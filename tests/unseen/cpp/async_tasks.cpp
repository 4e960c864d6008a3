// async in both ways, futures that carry values, references and exceptions.
#include <atomic>
#include <cassert>
#include <chrono>
#include <future>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static long sum_range(const std::vector<int> &values, size_t from, size_t to) {
    if (to - from <= 250) return std::accumulate(values.begin() + from, values.begin() + to, 0L);
    size_t middle = (from + to) / 2;
    auto left = std::async(std::launch::async, sum_range, std::cref(values), from, middle);
    long right = sum_range(values, middle, to);
    return left.get() + right;
}

int main() {
    std::vector<int> values(2000);
    std::iota(values.begin(), values.end(), 1);
    std::cout << sum_range(values, 0, values.size()) << '\n';

    std::atomic<int> calls{0};
    auto lazy = std::async(std::launch::deferred, [&] {
        ++calls;
        return std::this_thread::get_id();
    });
    assert(lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    assert(calls == 0);
    assert(lazy.get() == std::this_thread::get_id() && calls == 1);

    auto failing = std::async(std::launch::async, []() -> int { throw std::out_of_range("too far"); });
    try {
        failing.get();
        return 1;
    } catch (const std::out_of_range &error) {
        std::cout << "caught " << error.what() << '\n';
    }
    auto text = std::async(std::launch::async, [](std::string word, int times) {
        std::string all;
        for (int i = 0; i < times; i++) all += word;
        return all;
    }, "ab", 30);
    std::shared_future<std::string> shared = text.share();
    std::vector<std::future<size_t>> readers;
    for (int i = 0; i < 4; i++)
        readers.push_back(std::async(std::launch::async, [shared, i] { return shared.get().size() + i; }));
    size_t total = 0;
    for (auto &reader : readers) total += reader.get();
    std::cout << shared.get().size() << ' ' << total << '\n';
    int cell = 0;
    std::future<int &> reference = std::async(std::launch::async, [&]() -> int & { return cell; });
    reference.get() = 9;
    std::cout << cell << '\n';
    auto slow = std::async(std::launch::async, [] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); });
    std::cout << (slow.wait_for(std::chrono::milliseconds(5)) == std::future_status::timeout) << '\n';
    slow.wait();
    std::cout << slow.valid() << '\n';
}
