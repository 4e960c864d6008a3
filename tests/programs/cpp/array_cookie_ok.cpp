// The twin of array_cookie: all three destructors run, in reverse.
// STDOUT: 3 2 1 end
#include <iostream>

struct Cell {
    volatile int value = 1;
    ~Cell() { std::cout << value << ' '; }
};

static Cell *volatile row;

int main(int argc, char **) {
    row = new Cell[3];
    for (int i = 0; i < 3; i++) row[i].value = i + argc;
    delete[] row;
    std::cout << "end\n";
    return 0;
}
