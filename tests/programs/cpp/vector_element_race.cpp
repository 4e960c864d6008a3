// Two threads write the same element of a vector.
#include <iostream>
#include <thread>
#include <vector>

int main() {
    std::vector<int> cells(16);
    volatile int *shared = &cells[8];
    std::thread worker([shared] {
        *shared = 1; // PREVIOUS: write 4
    });
    *shared = 2; // EXPECT: data race write 4
    worker.join();
    std::cout << (cells[8] > 0) << '\n';
    return 0;
}
