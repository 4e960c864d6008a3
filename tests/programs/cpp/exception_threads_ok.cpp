// Exceptions thrown in two threads at once, through lock guards that must unlock on the way.
// STDOUT: 10 caught, counter 10
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int counter, caught;

static void count_and_throw(int depth) {
    if (depth > 0) return count_and_throw(depth - 1);
    std::lock_guard<std::mutex> held(lock);
    counter += 1;
    throw std::runtime_error("counted");
}

static void work() {
    for (int i = 0; i < 5; i++) {
        try {
            count_and_throw(3);
        } catch (const std::runtime_error &) {
            std::lock_guard<std::mutex> held(lock);
            caught += 1;
        }
    }
}

int main() {
    std::thread first(work), second(work);
    first.join();
    second.join();
    std::cout << caught << " caught, counter " << counter << '\n';
    return 0;
}
