// Both handlers count failures, and neither holds a lock.
#include <iostream>
#include <stdexcept>
#include <thread>

static volatile int failures;

static void fail(int code) {
    if (code > 0) throw std::runtime_error("failed");
}

static void work(int code) {
    try {
        fail(code);
    } catch (const std::runtime_error &) {
        failures = code; // EXPECT: data race write 4
    }
}

int main() {
    std::thread first(work, 1), second(work, 2);
    first.join();
    second.join();
    std::cout << (failures > 0) << '\n';
    return 0;
}
