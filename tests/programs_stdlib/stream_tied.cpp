// Reading flushes the stream that it is tied to, which is gone.
// STDIN: 7
#include <iostream>
#include <memory>
#include <sstream>

int main() {
    auto prompt = std::make_unique<std::ostringstream>();
    *prompt << "number? ";
    std::cin.tie(prompt.get());
#ifdef FIXED
    std::cin.tie(nullptr);
#endif
    prompt.reset(); // FREED
    int number = 0;
    std::cin >> number; // EXPECT: heap-use-after-free
    std::cout << number << '\n';
}
