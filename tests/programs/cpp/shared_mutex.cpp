// Both threads hold the shared_mutex, but only in shared mode, and both write.
// SEEDS: some a library may build shared_mutex from a plain mutex, whose unlock orders the two
#include <iostream>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static volatile long hits;

static void work(long value) {
    std::shared_lock<std::shared_mutex> held(lock);
    hits = value; // EXPECT: data race write 8
}

int main() {
    std::thread first(work, 1), second(work, 2);
    first.join();
    second.join();
    std::cout << (hits > 0) << '\n';
    return 0;
}
