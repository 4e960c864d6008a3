// Two threads append to one vector: its end, its capacity and its elements race, from one line.
#include <thread>
#include <vector>

static std::vector<int> values;

static void append(int first) {
    for (int i = 0; i < 3; i++)
        values.push_back(first + i); // EXPECT: data race|heap-use-after-free
}

int main() {
    std::thread low(append, 0), high(append, 100);
    low.join();
    high.join();
}
