// A view of a temporary string goes into a stream.
#include <iostream>
#include <string>
#include <string_view>

static std::string title(int number) {
    return "chapter the " + std::to_string(number) + "th, in which nothing happens";
}

int main() {
#ifdef FIXED
    std::string kept = title(3);
    std::string_view view = kept;
#else
    std::string_view view = title(3);
#endif
    std::cout << view << '\n'; // EXPECT: heap-use-after-free
}
