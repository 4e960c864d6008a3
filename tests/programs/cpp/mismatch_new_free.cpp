// new paired with free.
#include <cstdlib>
#include <iostream>

static int *volatile cell;

int main() {
    cell = new int(3); // ALLOCATED
    std::cout << *cell << '\n';
    std::free(cell); // EXPECT: alloc-dealloc-mismatch
    return 0;
}
