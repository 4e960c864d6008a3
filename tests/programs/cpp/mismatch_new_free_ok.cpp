// The twin of mismatch_new_free.
// STDOUT: 3
#include <iostream>

static int *volatile cell;

int main() {
    cell = new int(3);
    std::cout << *cell << '\n';
    delete cell;
    return 0;
}
