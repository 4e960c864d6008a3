// std::vector grows many times and is summed: templates, operator new, iostream.
// STDOUT: 1000 499500
#include <iostream>
#include <numeric>
#include <vector>

int main() {
    std::vector<int> numbers;
    for (int i = 0; i < 1000; i++) numbers.push_back(i);
    std::cout << numbers.size() << ' ' << std::accumulate(numbers.begin(), numbers.end(), 0)
              << '\n';
    return 0;
}
