// A reader takes the address of an element under the lock and uses it after: the vector has grown
// since, and its elements have moved.
// KIND: use after free by race
// FAILS: heap-use-after-free
// WHEN: the reader is preempted between its unlock and its use, and the writer appends
// PREEMPTIONS: 1
// RACES: the use is not locked
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Item {
    std::atomic<int> value{1};
    Item() = default;
    Item(Item &&other) noexcept : value(other.value.load()) {}
};

std::mutex lock;
std::vector<Item> items(2);

int read_first() {
    std::unique_lock<std::mutex> guard(lock);
    Item &first = items.front();
#ifndef FIXED
    guard.unlock();
#endif
    return first.value.load();
}

void append() {
    std::lock_guard<std::mutex> guard(lock);
    items.emplace_back();
}

} // namespace

int main() {
    int seen = 0;
    std::thread reader([&] { seen = read_first(); });
    std::thread writer(append);
    reader.join();
    writer.join();
    return seen != 1;
}
