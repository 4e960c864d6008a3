// The twin of iterator_invalidation: with enough capacity reserved nothing moves.
// STDOUT: 1 1000
#include <iostream>
#include <vector>

int main(int argc, char **) {
    std::vector<int> numbers(4, argc);
    numbers.reserve(1000);
    volatile int &first = numbers[0];
    while (numbers.size() < 1000) {
        numbers.push_back(2);
    }
    std::cout << first << ' ' << numbers.size() << '\n';
    return 0;
}
