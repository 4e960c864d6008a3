// Threads that come to a once_flag later see what its function wrote, also on the short way in.
// STDOUT: 55 55 55 55
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

static std::once_flag once;
static std::vector<int> table;

static void fill() {
    for (int i = 1; i <= 10; i++) table.push_back(i);
}

static void sum(long *result) {
    std::call_once(once, fill);
    for (int value : table) *result += value;
}

int main() {
    long results[4] = {};
    std::vector<std::thread> threads;
    for (long &result : results) threads.emplace_back(sum, &result);
    for (std::thread &thread : threads) thread.join();
    for (int i = 0; i < 4; i++) std::cout << results[i] << (i < 3 ? ' ' : '\n');
    return 0;
}
