// malloc paired with delete.
#include <cstdlib>
#include <iostream>

static int *volatile cell;

int main() {
    cell = static_cast<int *>(std::malloc(sizeof(int))); // ALLOCATED
    if (!cell) return 1;
    *cell = 3;
    std::cout << *cell << '\n';
    delete cell; // EXPECT: alloc-dealloc-mismatch
    return 0;
}
