// Accounts and transfers: scoped_lock on two mutexes, lock with adopt, try_lock, an audit log.
#include <array>
#include <atomic>
#include <cassert>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

class Account {
  public:
    Account(std::string owner, long balance) : owner_(std::move(owner)), balance_(balance) {}
    friend void transfer(Account &from, Account &to, long amount) {
        std::scoped_lock both(from.mutex_, to.mutex_);
        if (from.balance_ < amount) throw std::domain_error(from.owner_ + " has too little");
        from.balance_ -= amount;
        to.balance_ += amount;
        from.history_.push_back(-amount);
        to.history_.push_back(amount);
    }
    friend bool try_transfer(Account &from, Account &to, long amount) {
        if (std::try_lock(from.mutex_, to.mutex_) != -1) return false;
        std::lock_guard first(from.mutex_, std::adopt_lock), second(to.mutex_, std::adopt_lock);
        from.balance_ -= amount, to.balance_ += amount;
        from.history_.push_back(-amount), to.history_.push_back(amount);
        return true;
    }
    long balance() const {
        std::lock_guard lock(mutex_);
        return balance_;
    }
    bool is_consistent(long start) const {
        std::unique_lock lock(mutex_, std::defer_lock);
        lock.lock();
        return std::accumulate(history_.begin(), history_.end(), start) == balance_;
    }

  private:
    std::string owner_;
    long balance_;
    std::vector<long> history_;
    mutable std::mutex mutex_;
};

int main() {
    std::vector<std::unique_ptr<Account>> accounts;
    for (int i = 0; i < 4; i++) accounts.push_back(std::make_unique<Account>("customer number " + std::to_string(i), 1000));
    std::atomic<int> refused{0}, moved{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; t++)
        threads.emplace_back([&, t] {
            std::minstd_rand random(t + 1);
            for (int i = 0; i < 60; i++) {
                size_t a = random() % 4, b = (a + 1 + random() % 3) % 4;
                try {
                    transfer(*accounts[a], *accounts[b], long(random() % 900));
                    moved++;
                } catch (const std::domain_error &error) {
                    assert(std::string(error.what()).find("too little") != std::string::npos);
                    refused++;
                }
            }
        });
    for (auto &thread : threads) thread.join();
    long total = 0;
    for (auto &account : accounts) {
        assert(account->is_consistent(1000));
        total += account->balance();
    }
    std::cout << total << ' ' << moved + refused << '\n';
    assert(try_transfer(*accounts[0], *accounts[1], 1));
    std::recursive_mutex recursive;
    auto nested = [&](auto &self, int n) -> int {
        std::lock_guard lock(recursive);
        return n == 0 ? 0 : 1 + self(self, n - 1);
    };
    std::cout << nested(nested, 20) << '\n';
    std::unique_lock<std::recursive_mutex> lock(recursive), other;
    assert(lock.owns_lock() && !other);
    other = std::move(lock);
    assert(other && other.mutex() == &recursive);
}
