// A class that owns a pointer but has the compiler's copy constructor.
#include <iostream>

class Buffer {
public:
    explicit Buffer(int count) : cells_(new int[static_cast<unsigned>(count)]) {} // ALLOCATED
    ~Buffer() {
        delete[] cells_; // EXPECT: double-free // FREED
    }
    int *cells() const { return cells_; }

private:
    int *volatile cells_;
};

int main(int argc, char **) {
    Buffer first(4 + argc);
    Buffer second(first);
    std::cout << (second.cells() == first.cells()) << std::endl;
    return 0;
}
