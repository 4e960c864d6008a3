// An index that is one too big, within the capacity of the vector.
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> row;
    row.reserve(16);
    for (int i = 0; i < 10; ++i) row.push_back(i);
#ifdef FIXED
    std::size_t last = row.size() - 1;
#else
    std::size_t last = row.size();
#endif
    std::printf("%d\n", row[last]); // EXPECT: library-precondition
}
