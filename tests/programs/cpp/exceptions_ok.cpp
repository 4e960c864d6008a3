// Exceptions cross many frames with destructors, are rethrown, and carry their type.
// STDOUT: runtime: depth 5, guards 6
// STDOUT: integer 42 after cleanup
// STDOUT: vector::at threw
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

static int guards;

struct Guard {
    ~Guard() { guards += 1; }
};

static int descend(int depth) {
    Guard guard;
    if (depth == 0) throw std::runtime_error("depth 5");
    return descend(depth - 1) + 1;
}

static void rethrow() {
    try {
        throw 42;
    } catch (...) {
        throw;
    }
}

int main(int argc, char **) {
    try {
        descend(4 + argc);
    } catch (const std::logic_error &) {
        std::cout << "wrong type\n";
    } catch (const std::exception &error) {
        std::cout << "runtime: " << error.what() << ", guards " << guards << '\n';
    }
    try {
        rethrow();
    } catch (int number) {
        std::cout << "integer " << number << " after cleanup\n";
    }
    try {
        std::vector<int> empty;
        std::cout << empty.at(static_cast<std::size_t>(argc));
    } catch (const std::out_of_range &) {
        std::cout << "vector::at threw\n";
    }
    return 0;
}
