// Objects of each thread: made at first use, destroyed at its end, in reverse order.
#include <cassert>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex log_mutex;
static std::map<std::string, std::vector<std::string>> journal;

struct Logged {
    std::string thread, name;
    Logged(std::string t, std::string n) : thread(std::move(t)), name(std::move(n)) { note("+" + name); }
    ~Logged() { note("-" + name); }
    void note(const std::string &what) {
        std::lock_guard lock(log_mutex);
        journal[thread].push_back(what);
    }
};

static thread_local std::string current = "unnamed thread with a long enough name";
static thread_local int counter = 100;

static Logged &buffer() {
    thread_local Logged object(current, "buffer");
    return object;
}
static Logged &table() {
    buffer();
    thread_local Logged object(current, "table");
    return object;
}

struct Pool {
    std::vector<std::unique_ptr<int>> numbers;
    ~Pool() { total_freed += static_cast<int>(numbers.size()); }
    static inline int total_freed = 0;
};
static thread_local Pool pool;

static void work(std::string name, int uses) {
    current = name;
    for (int i = 0; i < uses; i++) {
        (i % 2 ? table() : buffer()).note("use");
        counter += i;
        std::lock_guard lock(log_mutex);  // total_freed is shared, the pool is not
        pool.numbers.push_back(std::make_unique<int>(i));
    }
    std::lock_guard lock(log_mutex);
    journal[name].push_back("count " + std::to_string(counter) + " pool " + std::to_string(pool.numbers.size()));
}

int main() {
    std::thread first(work, "first", 3);
    first.join();
    std::thread second(work, "second", 1);
    second.join();
    std::thread third(work, "third", 0);
    third.join();
    assert(current == "unnamed thread with a long enough name" && counter == 100);
    std::lock_guard lock(log_mutex);
    for (const auto &[thread, notes] : journal) {
        std::cout << thread << ':';
        for (const auto &note : notes) std::cout << ' ' << note << ';';
        std::cout << '\n';
    }
    std::cout << Pool::total_freed << '\n';
}
