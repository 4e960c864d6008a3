// FLAGS: ASAN_OPTIONS=check_initialization_order=1
// WITH: parts/init_order_names.cpp
// An object of the next module is used before its constructor has run.
#include <cstddef>
#include <string>
extern std::string name;
static std::size_t measure(const std::string &text) {
    const char *raw = reinterpret_cast<const char *>(&text);
    return static_cast<std::size_t>(*raw); // EXPECT: initialization-order-fiasco read 1
}
std::size_t size = measure(name);

int main() {
    return size > 99;
}
