// The whole of a block is filled.
// EXIT: 0
#include <cstring>

int main() {
    char *block = new char[16];
    volatile std::size_t length = 16;
    std::memset(block, 0, length);
    int first = block[0];
    delete[] block;
    return first;
}
