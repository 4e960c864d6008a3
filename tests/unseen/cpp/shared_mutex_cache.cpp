// A cache that many threads read and few write, with shared and upgraded locks and timeouts.
#include <atomic>
#include <cassert>
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class Cache {
  public:
    std::optional<std::string> find(int key) const {
        std::shared_lock lock(mutex_);
        auto at = table_.find(key);
        if (at == table_.end()) return std::nullopt;
        hits_.fetch_add(1, std::memory_order_relaxed);
        return at->second;
    }
    std::string get(int key) {
        if (auto found = find(key)) return *found;
        std::unique_lock lock(mutex_);
        auto [at, is_new] = table_.try_emplace(key);
        if (is_new) {
            at->second = "value of the key number " + std::to_string(key);
            made_++;
        }
        return at->second;
    }
    int made() const {
        std::shared_lock lock(mutex_);
        return made_;
    }
    size_t drop_below(int key) {
        std::scoped_lock lock(mutex_);
        return std::erase_if(table_, [key](const auto &entry) { return entry.first < key; });
    }

  private:
    mutable std::shared_mutex mutex_;
    std::map<int, std::string> table_;
    mutable std::atomic<long> hits_{0};
    int made_ = 0;
};

int main() {
    Cache cache;
    std::atomic<size_t> length{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&, t] {
            size_t sum = 0;
            for (int i = 0; i < 60; i++) sum += cache.get((i * (t + 1)) % 20).size();
            length += sum;
        });
    for (auto &thread : threads) thread.join();
    std::cout << cache.made() << ' ' << (length > 0) << ' ' << cache.drop_below(5) << '\n';
    assert(!cache.find(3) && cache.find(7));

    std::shared_timed_mutex timed;
    timed.lock_shared();
    std::thread other([&] {
        using namespace std::chrono_literals;
        assert(timed.try_lock_shared());
        timed.unlock_shared();
        assert(!timed.try_lock() && !timed.try_lock_for(5ms));
        std::shared_lock second(timed, std::chrono::milliseconds(5));
        std::cout << second.owns_lock() << '\n';
    });
    other.join();
    timed.unlock_shared();
    std::unique_lock exclusive(timed, std::chrono::milliseconds(1));
    std::cout << exclusive.owns_lock() << '\n';
    std::timed_mutex plain;
    std::recursive_timed_mutex again;
    std::scoped_lock both(plain, again);
    assert(again.try_lock_for(std::chrono::milliseconds(1)));
    again.unlock();
}
