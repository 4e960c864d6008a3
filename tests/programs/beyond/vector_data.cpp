// The storage of one vector reached from another's.
// NATIVE: miss the address is a live byte of another block
#include <cstdint>
#include <iostream>
#include <vector>

int main() {
    std::vector<int> first, second;
    first.resize(100);
    second.resize(100);
    volatile int *data = first.data();
    volatile int *other = second.data();
    const intptr_t from = reinterpret_cast<intptr_t>(data);
    volatile long distance = (reinterpret_cast<intptr_t>(other) - from) / 4;
    data[distance + 5] = 1; // EXPECT: heap-buffer-overflow write 4
    std::cout << second.size() << "\n";
    return 0;
}
