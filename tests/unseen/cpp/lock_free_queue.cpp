// A queue of one writer and one reader without locks, and a sequence lock over atomics.
#include <array>
#include <atomic>
#include <cassert>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

template <class T, size_t N> class Queue {
    std::array<T, N> slots_;
    alignas(64) std::atomic<size_t> head_{0};
    alignas(64) std::atomic<size_t> tail_{0};

  public:
    bool push(T &value) {
        size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail - head_.load(std::memory_order_acquire) == N) return false;
        slots_[tail % N] = std::move(value);
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }
    bool pop(T &value) {
        size_t head = head_.load(std::memory_order_relaxed);
        if (head == tail_.load(std::memory_order_acquire)) return false;
        value = std::move(slots_[head % N]);
        head_.store(head + 1, std::memory_order_release);
        return true;
    }
};

struct Snapshot {
    std::atomic<unsigned> sequence{0};
    std::atomic<long> a{0}, b{0};
    void write(long x) {
        sequence.fetch_add(1, std::memory_order_acq_rel);
        a.store(x, std::memory_order_release);
        b.store(-x, std::memory_order_release);
        sequence.fetch_add(1, std::memory_order_release);
    }
    std::pair<long, long> read() const {
        for (;;) {
            unsigned before = sequence.load(std::memory_order_acquire);
            long x = a.load(std::memory_order_acquire), y = b.load(std::memory_order_acquire);
            if (before % 2 == 0 && sequence.load(std::memory_order_acquire) == before) return {x, y};
            std::this_thread::yield();
        }
    }
};

int main() {
    Queue<std::unique_ptr<std::string>, 4> queue;
    size_t total = 0;
    std::thread reader([&] {
        for (int i = 0; i < 50; i++) {
            std::unique_ptr<std::string> text;
            while (!queue.pop(text)) std::this_thread::yield();
            assert(text->size() == size_t(i));
            total += text->size();
        }
    });
    for (int i = 0; i < 50; i++) {
        auto text = std::make_unique<std::string>(size_t(i), 'x');
        while (!queue.push(text)) std::this_thread::yield();
    }
    reader.join();
    Snapshot snapshot;
    std::thread writer([&] {
        for (long i = 1; i <= 40; i++) snapshot.write(i);
    });
    for (int i = 0; i < 20; i++) {
        auto [a, b] = snapshot.read();
        assert(a == -b);
    }
    writer.join();
    assert(snapshot.read().first == 40);
    std::cout << total << '\n';
}
