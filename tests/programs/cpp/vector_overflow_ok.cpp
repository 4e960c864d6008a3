// The twin of vector_overflow: the size is passed as it is.
// STDOUT: 5
#include <iostream>
#include <vector>

static double sum_of(const volatile double *numbers, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; i++) {
        sum += numbers[i];
    }
    return sum;
}

int main(int argc, char **) {
    std::vector<double> numbers(9 + static_cast<std::size_t>(argc), 0.5);
    std::cout << sum_of(numbers.data(), numbers.size()) << '\n';
    return 0;
}
