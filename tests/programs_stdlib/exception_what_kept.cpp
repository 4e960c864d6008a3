// The text of an exception that is gone.
#include <iostream>
#include <stdexcept>
#include <string>

int main() {
    const char *reason = "";
    std::string kept;
    try {
        throw std::runtime_error("the disk of the machine in the cellar is full");
    } catch (const std::exception &error) {
        kept = error.what();
        reason = error.what();
    }
#ifdef FIXED
    reason = kept.c_str();
#endif
    std::cout << reason << '\n'; // EXPECT: heap-use-after-free
}
