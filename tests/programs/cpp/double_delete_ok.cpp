// The twin of double_delete: copying copies.
// STDOUT: 0 5
#include <algorithm>
#include <iostream>

class Buffer {
public:
    explicit Buffer(int count) : count_(count), cells_(new int[static_cast<unsigned>(count)]()) {}
    Buffer(const Buffer &other) : Buffer(other.count_) {
        std::copy(other.cells_, other.cells_ + count_, cells_);
    }
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { delete[] cells_; }
    int *cells() const { return cells_; }

private:
    int count_;
    int *volatile cells_;
};

int main(int argc, char **) {
    Buffer first(4 + argc);
    first.cells()[4] = 5;
    Buffer second(first);
    std::cout << (second.cells() == first.cells()) << ' ' << second.cells()[4] << '\n';
    return 0;
}
