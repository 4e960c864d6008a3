// Values that an enumeration cannot have: it has as many bits as its enumerators need.
#include <cstring>

enum colour { red, green, blue };
enum mark { none, low = -3, high = 3 };

volatile int sink;

int main() {
    colour painted;
    std::memset(&painted, 7, sizeof painted);
    colour *volatile at = &painted;
    sink = *at; // EXPECT: invalid-enum-load
    mark marked;
    int raw = 9;
    std::memcpy(&marked, &raw, sizeof marked);
    mark *volatile marked_at = &marked;
    sink = *marked_at; // EXPECT: invalid-enum-load
    return 0;
}
