// A std::thread and main write the variable that the lambda captured by reference.
#include <iostream>
#include <thread>

int main() {
    volatile long value = 0;
    std::thread worker([&value] {
        value = 1; // PREVIOUS: write 8
    });
    value = 2; // EXPECT: data race write 8
    worker.join();
    std::cout << (value != 0) << '\n';
    return 0;
}
