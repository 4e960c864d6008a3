// One node of a list is erased twice.
#include <cstdio>
#include <list>

int main() {
    std::list<int> open{1, 2, 3, 4};
    auto chosen = std::next(open.begin());
    auto behind = open.erase(chosen); // FREED
#ifdef FIXED
    chosen = behind;
#endif
    open.erase(chosen); // EXPECT: heap-use-after-free
    std::printf("%zu\n", open.size());
}
