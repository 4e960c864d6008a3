// Copy-on-write configuration: readers take snapshots, writers replace them, observers count.
#include <atomic>
#include <cassert>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Config {
  public:
    using Table = std::map<std::string, std::string>;
    using Snapshot = std::shared_ptr<const Table>;
    Snapshot get() const {
        std::lock_guard lock(mutex_);
        return table_;
    }
    template <class F> void update(F change) {
        std::lock_guard writer(writers_);
        auto next = std::make_shared<Table>(*get());
        change(*next);
        std::lock_guard lock(mutex_);
        table_ = std::move(next);
        version_.fetch_add(1, std::memory_order_release);
    }
    int version() const { return version_.load(std::memory_order_acquire); }

  private:
    mutable std::mutex mutex_, writers_;
    Snapshot table_ = std::make_shared<Table>();
    std::atomic<int> version_{0};
};

int main() {
    Config config;
    config.update([](auto &table) { table["count"] = "0", table["name"] = "a name that does not fit into a small string"; });
    auto old = config.get();
    std::atomic<bool> stop{false};
    std::atomic<long> reads{0};
    std::vector<std::thread> threads;
    for (int w = 0; w < 2; w++)
        threads.emplace_back([&, w] {
            for (int i = 0; i < 15; i++)
                config.update([&](auto &table) {
                    table["count"] = std::to_string(std::stoi(table["count"]) + 1);
                    table["writer" + std::to_string(w)] = std::string(size_t(i) * 4, 'w');
                });
        });
    std::vector<std::thread> readers;
    for (int r = 0; r < 2; r++)
        readers.emplace_back([&] {
            int last = -1;
            do {
                auto table = config.get();
                int count = std::stoi(table->at("count"));
                assert(count >= last);
                last = count;
                reads++;
            } while (!stop);
        });
    for (auto &thread : threads) thread.join();
    stop = true;
    for (auto &thread : readers) thread.join();
    auto final_table = config.get();
    std::cout << final_table->at("count") << ' ' << final_table->size() << ' ' << config.version() << ' ' << (reads >= 2) << '\n';
    std::cout << old->at("count") << old->size() << ' ' << old.use_count() << '\n';
}
