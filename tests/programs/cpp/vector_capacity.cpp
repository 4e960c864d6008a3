// An element between a vector's size and its capacity is read.
// NATIVE: miss the native library of this compiler does not annotate its containers
#include <cstdio>
#include <vector>

int main(int argc, char **) {
    std::vector<int> numbers;
    numbers.reserve(16);
    for (int i = 0; i < 3; i++) numbers.push_back(i);
    int *volatile first = numbers.data();
    std::printf("%d\n", first[3 + argc]); // EXPECT: container-overflow read 4
    return 0;
}
