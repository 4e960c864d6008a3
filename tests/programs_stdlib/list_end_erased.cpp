// What a search has not found is erased.
#include <algorithm>
#include <cstdio>
#include <list>

int main() {
    std::list<int> ids{3, 5, 9};
    auto found = std::find(ids.begin(), ids.end(), 4);
#ifdef FIXED
    if (found != ids.end())
#endif
        ids.erase(found); // EXPECT: library-precondition
    std::printf("%zu\n", ids.size());
}
