// The twin of shared_mutex: unique_lock to write, shared_lock to read; scoped_lock of two.
// STDOUT: 20 20
#include <iostream>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::shared_mutex lock;
static std::mutex left, right;
static long hits, both;

static void work(bool swapped) {
    for (int i = 0; i < 5; i++) {
        {
            std::unique_lock<std::shared_mutex> held(lock);
            hits += 1;
        }
        {
            std::shared_lock<std::shared_mutex> held(lock);
            if (hits < 1) return;
        }
        std::mutex &first = swapped ? right : left, &second = swapped ? left : right;
        std::scoped_lock held(first, second);
        both += 1;
    }
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back(work, i % 2 == 1);
    for (auto &thread : threads) thread.join();
    std::cout << hits << ' ' << both << '\n';
    return 0;
}
