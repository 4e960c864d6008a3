// A comparator that says of equal elements that each is less than the other.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> marks(40, 3);
#ifdef FIXED
    std::sort(marks.begin(), marks.end(), [](int a, int b) { return a < b; });
#else
    std::sort(marks.begin(), marks.end(), [](int a, int b) { return a <= b; }); // EXPECT: library-precondition
#endif
    std::printf("%d\n", marks[0]);
}
