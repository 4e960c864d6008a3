// Any value within the bits of the enumerators is one; with a fixed type any value is.
// EXIT: 0
#include <cstring>

enum colour { red, green, blue };
enum fixed : unsigned char { one = 1 };

volatile int sink;

int main() {
    colour *volatile painted = new colour(static_cast<colour>(3));
    sink = *painted;
    delete painted;
    fixed *volatile any = new fixed(one);
    std::memset(static_cast<void *>(any), 200, 1);
    sink = *any;
    delete any;
    return 0;
}
