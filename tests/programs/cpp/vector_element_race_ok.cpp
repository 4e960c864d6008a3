// The twin of vector_element_race: each thread has its own part of the vector.
// STDOUT: 4950
#include <iostream>
#include <numeric>
#include <thread>
#include <vector>

int main() {
    std::vector<int> cells(100);
    std::vector<std::thread> threads;
    for (int part = 0; part < 4; part++) {
        threads.emplace_back([&cells, part] {
            for (int i = 25 * part; i < 25 * (part + 1); i++) {
                cells[static_cast<std::size_t>(i)] = i;
            }
        });
    }
    for (auto &thread : threads) thread.join();
    std::cout << std::accumulate(cells.begin(), cells.end(), 0) << '\n';
    return 0;
}
