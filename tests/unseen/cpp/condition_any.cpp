// condition_variable_any with a lock of the program's own, and a rendezvous of pairs.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

class TicketLock {
  public:
    void lock() {
        unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
        while (serving_.load(std::memory_order_acquire) != mine) std::this_thread::yield();
        ++taken;
    }
    void unlock() { serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
    long taken = 0;

  private:
    std::atomic<unsigned> next_{0}, serving_{0};
};

int main() {
    TicketLock lock;
    std::condition_variable_any changed;
    int stage = 0;
    std::vector<int> trace;
    std::vector<std::thread> threads;
    for (int id = 0; id < 3; id++)
        threads.emplace_back([&, id] {
            for (int round = 0; round < 4; round++) {
                std::unique_lock guard(lock);
                changed.wait(guard, [&] { return stage == round * 3 + id; });
                trace.push_back(id);
                stage++;
                changed.notify_all();
            }
        });
    for (auto &thread : threads) thread.join();
    for (int id : trace) std::cout << id;
    std::cout << ' ' << (lock.taken >= 12) << '\n';

    std::shared_mutex shared;
    std::condition_variable_any ready;
    int value = 0;
    std::atomic<int> sum{0};
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; i++)
        readers.emplace_back([&] {
            std::shared_lock guard(shared);
            ready.wait(guard, [&] { return value != 0; });
            sum += value;
        });
    {
        std::unique_lock guard(shared);
        value = 14;
    }
    ready.notify_all();
    for (auto &thread : readers) thread.join();
    std::cout << sum << '\n';

    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock guard(mutex);
    using namespace std::chrono_literals;
    auto status = never.wait_for(guard, 10ms);
    bool met = never.wait_until(guard, std::chrono::system_clock::now() + 10ms, [] { return false; });
    std::cout << (status == std::cv_status::timeout) << met << guard.owns_lock() << '\n';
    std::thread late([&] {
        std::unique_lock inner(mutex);
        value = 99;
        std::notify_all_at_thread_exit(never, std::move(inner));
    });
    never.wait(guard, [&] { return value == 99; });
    late.join();
    std::cout << value << '\n';
}
