// The twin of thread_lambda: std::lock_guard around both writes.
// STDOUT: 3
#include <iostream>
#include <mutex>
#include <thread>

int main() {
    std::mutex lock;
    long value = 0;
    std::thread worker([&] {
        std::lock_guard<std::mutex> held(lock);
        value += 1;
    });
    {
        std::lock_guard<std::mutex> held(lock);
        value += 2;
    }
    worker.join();
    std::cout << value << '\n';
    return 0;
}
