// A start signal and an end count with latches; results are read when the count is zero.
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <iostream>
#include <latch>
#include <string>
#include <thread>
#include <vector>

struct Job {
    std::string name;
    int rounds;
    uint32_t result = 0;
};

static uint32_t hash(const std::string &name, int rounds) {
    uint32_t value = 2166136261u;
    for (int round = 0; round < rounds; round++)
        for (unsigned char c : name) value = (value ^ c) * 16777619u;
    return value;
}

int main() {
    std::array<Job, 6> jobs{{{"alpha", 10}, {"beta", 20}, {"gamma", 5}, {"delta", 1}, {"a name of some length", 3}, {"", 9}}};
    std::latch start{1};
    std::latch done{static_cast<std::ptrdiff_t>(jobs.size())};
    int limit = 0;
    std::vector<std::thread> threads;
    for (Job &job : jobs)
        threads.emplace_back([&] {
            start.wait();
            job.result = hash(job.name, job.rounds > limit ? limit : job.rounds);
            done.count_down();
        });
    assert(!done.try_wait());
    limit = 15;
    start.count_down();
    done.wait();
    for (const Job &job : jobs) {
        assert(job.result == hash(job.name, job.rounds > 15 ? 15 : job.rounds));
        std::cout << job.name << ' ' << job.result << '\n';
    }
    for (auto &thread : threads) thread.join();
    assert(start.try_wait() && done.try_wait());

    std::latch together{3};
    std::array<int, 3> seen{};
    std::vector<std::thread> pair;
    for (int i = 0; i < 3; i++)
        pair.emplace_back([&, i] {
            seen[i] = i + 1;
            together.arrive_and_wait();
            if (i == 0) limit = seen[0] + seen[1] + seen[2];
        });
    for (auto &thread : pair) thread.join();
    std::cout << limit << ' ' << (std::latch::max() > 1000) << '\n';
}
