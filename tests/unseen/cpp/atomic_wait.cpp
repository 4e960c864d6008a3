// Atomics that are waited for, fetched from, exchanged and used as flags and pointers.
#include <atomic>
#include <cassert>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>

struct Node {
    int value;
    Node *next;
};

struct Point {
    int x, y;
    bool operator==(const Point &) const = default;
};

int main() {
    std::atomic<int> turn{0};
    std::vector<int> order;
    auto player = [&](int id) {
        for (int round = 0; round < 5; round++) {
            int want = round * 2 + id;
            for (int seen = turn.load(); seen != want; seen = turn.load()) turn.wait(seen);
            order.push_back(id);
            turn.store(want + 1);
            turn.notify_all();
        }
    };
    std::thread a(player, 0), b(player, 1);
    a.join(), b.join();
    for (int id : order) std::cout << id;
    std::cout << '\n';

    std::atomic<Node *> head{nullptr};
    std::vector<std::thread> pushers;
    for (int t = 0; t < 3; t++)
        pushers.emplace_back([&, t] {
            for (int i = 0; i < 20; i++) {
                Node *node = new Node{t * 100 + i, head.load(std::memory_order_relaxed)};
                while (!head.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {}
            }
        });
    for (auto &thread : pushers) thread.join();
    long sum = 0;
    int count = 0;
    for (Node *node = head.load(std::memory_order_acquire), *next; node; node = next) {
        next = node->next;
        sum += node->value, count++;
        delete node;
    }
    std::cout << count << ' ' << sum << '\n';

    std::atomic_flag ready;
    int payload = 0;
    std::thread writer([&] {
        payload = 17;
        ready.test_and_set(std::memory_order_release);
        ready.notify_one();
    });
    ready.wait(false, std::memory_order_acquire);
    std::cout << payload << ready.test() << '\n';
    writer.join();

    std::atomic<Point> point{Point{1, 2}};
    Point old = point.exchange({3, 4}), want{3, 4};
    assert((old == Point{1, 2}));
    assert(point.compare_exchange_strong(want, {5, 6}) && point.load().y == 6);
    std::atomic<double> total{0};
    total.fetch_add(1.5), total -= 0.25;
    long plain = 10;
    std::atomic_ref<long> ref(plain);
    ref.fetch_or(5);
    std::cout << total << ' ' << plain << ' ' << ref.is_lock_free() << '\n';
    std::atomic<unsigned> bits{0xf0};
    std::cout << bits.fetch_and(0x3c) << ' ' << bits.fetch_xor(1) << ' ' << bits++ << ' ' << --bits << '\n';
}
