// The twin of vector_capacity: the vector has grown to there.
// STDOUT: 4
#include <cstdio>
#include <vector>

int main(int argc, char **) {
    std::vector<int> numbers;
    numbers.reserve(16);
    for (int i = 0; i < 5; i++) numbers.push_back(i);
    int *volatile first = numbers.data();
    std::printf("%d\n", first[3 + argc]);
    numbers.pop_back();
    numbers.insert(numbers.begin(), 9);
    numbers.resize(16);
    return first[15 * argc];
}
