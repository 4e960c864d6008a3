// A stencil in phases: threads meet at a barrier whose completion step swaps the buffers.
#include <barrier>
#include <cassert>
#include <iostream>
#include <numeric>
#include <thread>
#include <vector>

int main() {
    constexpr int n_threads = 4, size = 64, steps = 20;
    std::vector<long> current(size, 0), next(size, 0);
    current[size / 2] = 1 << 20;
    int completed = 0;
    auto swap_buffers = [&]() noexcept {
        std::swap(current, next);
        ++completed;
    };
    std::barrier meeting(n_threads, swap_buffers);
    auto work = [&](int part) {
        int from = part * size / n_threads, to = (part + 1) * size / n_threads;
        for (int step = 0; step < steps; step++) {
            for (int i = from; i < to; i++) {
                long left = current[(i + size - 1) % size], right = current[(i + 1) % size];
                next[i] = (left + right) / 2;
            }
            meeting.arrive_and_wait();
        }
    };
    std::vector<std::thread> threads;
    for (int part = 0; part < n_threads; part++) threads.emplace_back(work, part);
    for (auto &thread : threads) thread.join();
    long total = std::accumulate(current.begin(), current.end(), 0L);
    std::cout << completed << ' ' << total << ' ' << current[size / 2] << '\n';

    // Threads leave one after another; the others do not wait for them any more.
    std::vector<int> rounds(3, 0);
    std::barrier leaving(3);
    std::vector<std::thread> leavers;
    for (int id = 0; id < 3; id++)
        leavers.emplace_back([&, id] {
            for (int round = 0; round <= id; round++) {
                rounds[id]++;
                if (round == id) leaving.arrive_and_drop();
                else leaving.arrive_and_wait();
            }
        });
    for (auto &thread : leavers) thread.join();
    std::cout << rounds[0] << rounds[1] << rounds[2] << '\n';

    std::barrier alone(1);
    auto token = alone.arrive();
    alone.wait(std::move(token));
    std::cout << "alone\n";
}
