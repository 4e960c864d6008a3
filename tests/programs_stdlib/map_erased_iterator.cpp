// An iterator is advanced whose node was erased.
#include <cstdio>
#include <map>
#include <string>

int main() {
    std::map<std::string, int> ages{{"one", 1}, {"two", 2}, {"three", 3}};
    for (auto it = ages.begin(); it != ages.end();) {
        auto here = it;
#ifdef FIXED
        ++it;
        if (here->second > 1) ages.erase(here);
#else
        if (here->second > 1) ages.erase(here);
        ++it; // EXPECT: heap-use-after-free
#endif
    }
    std::printf("%zu\n", ages.size());
}
