// An iterator is kept while the vector grows, and handed to an algorithm.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    std::vector<long> values{4, 8, 15};
    auto first = values.begin();
    for (long i = 0; i < 64; ++i) values.push_back(i);
#ifdef FIXED
    first = values.begin();
#endif
    auto found = std::find(first, first + 3, 15); // EXPECT: heap-use-after-free
    std::printf("%ld\n", *found);
}
