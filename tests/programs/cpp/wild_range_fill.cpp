// A fill whose length no memory holds.
#include <cstring>

int main() {
    char *block = new char[16];
    volatile std::size_t length = std::size_t(1) << 59;
    std::memset(block, 0, length); // EXPECT: unknown-crash write 576460752303423488
    int first = block[0];
    delete[] block;
    return first;
}
