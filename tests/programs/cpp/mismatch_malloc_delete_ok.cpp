// The twin of mismatch_malloc_delete.
// STDOUT: 3
#include <cstdlib>
#include <iostream>

static int *volatile cell;

int main() {
    cell = static_cast<int *>(std::malloc(sizeof(int)));
    if (!cell) return 1;
    *cell = 3;
    std::cout << *cell << '\n';
    std::free(cell);
    return 0;
}
