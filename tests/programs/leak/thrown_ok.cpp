// An exception in flight, and one that is kept, are alive when the program ends.
// EXIT: 0
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

static std::exception_ptr kept;

static void fail(int level) {
    if (level) fail(level - 1);
    throw std::runtime_error("too long for a small string: level " + std::to_string(level));
}

int main() {
    try {
        fail(3);
    } catch (...) {
        kept = std::current_exception();
    }
    try {
        fail(4);
    } catch (const std::exception &) {
        std::exit(0);
    }
}
