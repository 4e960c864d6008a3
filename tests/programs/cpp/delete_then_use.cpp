// An object is deleted, then its method is called, by one thread in the presence of another.
// SANITIZE: thread
#include <memory>
#include <thread>

struct Counter {
    long value = 0;
    __attribute__((noinline)) void add(long n) {
        value = n; // EXPECT: heap-use-after-free write 8
    }
};

int main() {
    std::thread other([] {});
    other.join();
    auto *counter = new Counter;
    counter->add(1);
    Counter *volatile stale = counter;
    delete counter;
    stale->add(2);
}
