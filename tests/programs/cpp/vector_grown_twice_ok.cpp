// The twin of vector_grown_twice: one at a time.
// STDOUT: 6
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> values;
static std::mutex guard;

static void append(int first) {
    for (int i = 0; i < 3; i++) {
        std::lock_guard<std::mutex> held(guard);
        values.push_back(first + i);
    }
}

int main() {
    std::thread low(append, 0), high(append, 100);
    low.join();
    high.join();
    std::printf("%zu\n", values.size());
}
