// An iterator goes on reading from a stream that has ended.
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>

int main() {
    auto numbers = std::make_unique<std::istringstream>("3 1 4 1 5 9");
    std::istream_iterator<int> it(*numbers);
#ifndef FIXED
    numbers.reset(); // FREED
#endif
    ++it; // EXPECT: heap-use-after-free
    std::cout << *it << '\n';
}
