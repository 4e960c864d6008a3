// A half filled array is sorted.
// SANITIZE: memory
#include <algorithm>
#include <cstdio>

int main() {
    int numbers[40];
    int n = 40;
    for (int i = 0; i < 20; ++i) numbers[i] = 20 - i;
#ifdef FIXED
    n = 20;
#endif
    std::sort(numbers, numbers + n); // EXPECT: use-of-uninitialized-value
    std::printf("%d\n", n);
}
