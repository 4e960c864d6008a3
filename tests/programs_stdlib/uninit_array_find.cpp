// A value is searched for in an array that was allocated without values.
// SANITIZE: memory
#include <algorithm>
#include <cstdio>
#include <memory>

int main() {
#ifdef FIXED
    auto cells = std::make_unique<int[]>(100);
#else
    auto cells = std::make_unique_for_overwrite<int[]>(100);
#endif
    int *found = std::find(cells.get(), cells.get() + 100, 7); // EXPECT: use-of-uninitialized-value
    std::printf("%d\n", found == cells.get() + 100);
}
