// A reference into a vector is kept while push_back moves the elements.
#include <iostream>
#include <vector>

int main(int argc, char **) {
    std::vector<int> numbers(4, argc);
    volatile int &first = numbers[0];
    while (numbers.size() < 1000) {
        numbers.push_back(2);
    }
    int value = first; // EXPECT: heap-use-after-free read 4
    std::cout << value << '\n';
    return 0;
}
