// A view of what a temporary stream has collected.
#include <iostream>
#include <sstream>
#include <string>

static std::ostringstream table() {
    std::ostringstream out;
    for (int i = 0; i < 20; ++i) out << i * i << ' ';
    return out;
}

int main() {
#ifdef FIXED
    std::ostringstream kept = table();
    std::string_view text = kept.view();
#else
    std::string_view text = table().view();
#endif
    std::cout << text.substr(0, 9) << '\n'; // EXPECT: heap-use-after-free
}
