// new[] paired with delete.
#include <iostream>

static int *volatile cells;

int main() {
    cells = new int[10]; // ALLOCATED
    cells[1] = 3;
    std::cout << cells[1] << '\n';
    delete cells; // EXPECT: alloc-dealloc-mismatch
    return 0;
}
