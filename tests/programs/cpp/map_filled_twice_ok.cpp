// The twin of map_filled_twice: one after the other.
// STDOUT: 6
#include <cstdio>
#include <map>
#include <thread>

static std::map<int, int> table;

static void fill(int first) {
    for (int i = 0; i < 3; i++) table.emplace(first + 2 * i, i);
}

int main() {
    std::thread even(fill, 0);
    even.join();
    std::thread odd(fill, 1);
    odd.join();
    std::printf("%zu\n", table.size());
}
