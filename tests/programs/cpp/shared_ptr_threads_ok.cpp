// Threads copy and drop one shared_ptr: the counts are atomic, the last one destroys.
// STDOUT: destroyed 1
#include <atomic>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>

static std::atomic<int> destroyed;

struct Payload {
    int value = 3;
    ~Payload() { destroyed++; }
};

int main() {
    {
        auto shared = std::make_shared<Payload>();
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; i++) {
            threads.emplace_back([mine = shared] {
                std::shared_ptr<Payload> copy = mine;
                if (copy->value != 3) destroyed += 100;
            });
        }
        shared.reset();
        for (auto &thread : threads) thread.join();
    }
    std::cout << "destroyed " << destroyed << '\n';
    return 0;
}
