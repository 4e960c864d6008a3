// One element behind the end of a vector, through data().
#include <iostream>
#include <vector>

static double sum_of(const volatile double *numbers, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; i++) {
        sum += numbers[i]; // EXPECT: heap-buffer-overflow read 8
    }
    return sum;
}

int main(int argc, char **) {
    std::vector<double> numbers(9 + static_cast<std::size_t>(argc), 0.5); // ALLOCATED
    std::cout << sum_of(numbers.data(), numbers.size() + 1) << '\n';
    return 0;
}
