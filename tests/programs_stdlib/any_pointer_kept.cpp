// A pointer into an any that holds something else now.
#include <any>
#include <array>
#include <iostream>
#include <string>

int main() {
    std::any value = std::array<std::string, 3>{"one", "two", "three"};
    auto *texts = std::any_cast<std::array<std::string, 3>>(&value);
#ifndef FIXED
    value = 42; // FREED
#endif
    std::cout << (*texts)[1].size() << '\n'; // EXPECT: heap-use-after-free
}
