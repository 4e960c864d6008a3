// new[] of objects with destructors: an index computed wrongly hits an element that is not there.
#include <iostream>

struct Cell {
    volatile int value = 1;
    ~Cell() { value = 0; }
};

static Cell *volatile row;

int main(int argc, char **) {
    row = new Cell[3]; // ALLOCATED
    row[2 + argc].value = 5; // EXPECT: heap-buffer-overflow write 4
    std::cout << row[0].value << '\n';
    delete[] row;
    return 0;
}
