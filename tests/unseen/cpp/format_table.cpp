// Formatting where the library has it, otherwise the same text by streams.
#include <cassert>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>
#if __has_include(<format>)
#include <format>
#endif

struct Item {
    std::string name;
    int count;
    double price;
};

#if defined(__cpp_lib_format)
struct Point {
    int x, y;
};
template <> struct std::formatter<Point> {
    char open = '(';
    constexpr auto parse(std::format_parse_context &context) {
        auto at = context.begin();
        if (at != context.end() && *at == 's') open = '[', ++at;
        return at;
    }
    auto format(const Point &p, std::format_context &context) const {
        return std::format_to(context.out(), "{}{}, {}{}", open, p.x, p.y, open == '(' ? ')' : ']');
    }
};
#endif

static std::string row(const Item &item) {
#if defined(__cpp_lib_format)
    return std::format("{:<10}|{:>5}|{:>10.2f}|{:#06x}", item.name, item.count, item.price, item.count);
#else
    std::ostringstream out;
    out << std::left << std::setw(10) << item.name << '|' << std::right << std::setw(5) << item.count << '|' << std::setw(10)
        << std::fixed << std::setprecision(2) << item.price << "|0x" << std::hex << std::setw(4) << std::setfill('0') << item.count;
    return out.str();
#endif
}

int main() {
    std::vector<Item> items = {{"apple", 3, 0.5}, {"pear", 12, 1.25}, {"a much longer name", 100, 1234.5678}};
    for (const auto &item : items) std::cout << row(item) << '\n';
#if defined(__cpp_lib_format)
    assert(std::format("{0} {1} {0}", "a", 'b') == "a b a");
    assert(std::format("{:*^9}", "mid") == "***mid***");
    assert(std::format("{:+d} {:b} {:o} {:e}", 5, 5, 64, 1500.0) == "+5 101 100 1.500000e+03");
    assert(std::format("{:{}.{}f}", 3.14159, 8, 3) == "   3.142");
    assert(std::format("{} {:s}", Point{1, 2}, Point{3, 4}) == "(1, 2) [3, 4]");
    std::string out;
    std::format_to(std::back_inserter(out), "{:>{}}", std::string(50, 'y'), 60);
    assert(out.size() == 60 && out[9] == ' ' && out[10] == 'y');
    char small[8];
    auto cut = std::format_to_n(small, sizeof small, "{}", "0123456789");
    assert(cut.size == 10 && cut.out == small + 8);
    int number = 7;
    assert(std::vformat("{:03}", std::make_format_args(number)) == "007");
    try {
        (void)std::vformat("{:d}", std::make_format_args("text"));
        return 1;
    } catch (const std::format_error &) {
    }
    assert(std::format("{}", true) == "true" && std::formatted_size("{:10}", 1) == 10);
#endif
    std::cout << "done\n";
}
