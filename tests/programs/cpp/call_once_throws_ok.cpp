// A std::call_once whose first attempt throws is tried again, by the same or another thread.
// NATIVE: skip the pthread_once of the native tools never ends after an exception
// STDOUT: attempts 2, caught 1
#include <atomic>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int attempts;
static std::atomic<int> caught;

static void initialise() {
    attempts += 1;
    if (attempts == 1) throw std::runtime_error("first attempt");
}

static void work() {
    try {
        std::call_once(once, initialise);
    } catch (const std::runtime_error &) {
        caught++;
        std::call_once(once, initialise);
    }
}

int main() {
    std::thread first(work), second(work);
    first.join();
    second.join();
    std::cout << "attempts " << attempts << ", caught " << caught << '\n';
    return 0;
}
