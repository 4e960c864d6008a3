// from_chars and to_chars for integers and doubles, with errors and bases.
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

template <class T> static std::string text(T value, int base = 10) {
    std::array<char, 80> buffer;
    auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, base);
    assert(error == std::errc());
    return {buffer.data(), end};
}

static std::vector<long> parse_list(std::string_view line) {
    std::vector<long> numbers;
    const char *at = line.data(), *end = at + line.size();
    while (at != end) {
        long value;
        auto [next, error] = std::from_chars(at, end, value);
        if (error == std::errc::invalid_argument) {
            at++;
            continue;
        }
        numbers.push_back(error == std::errc() ? value : -1);
        at = next;
    }
    return numbers;
}

int main() {
    std::cout << text(-123) << ' ' << text(255u, 16) << ' ' << text(std::numeric_limits<int64_t>::min()) << ' ' << text(5, 2) << '\n';
    for (long number : parse_list("10, -20;; x30 99999999999999999999 7")) std::cout << number << ' ';
    std::cout << '\n';
    unsigned char byte = 1;
    std::string_view big = "300";
    auto result = std::from_chars(big.data(), big.data() + big.size(), byte);
    assert(result.ec == std::errc::result_out_of_range && byte == 1 && result.ptr == big.data() + 3);
    char tiny[3];
    assert(std::to_chars(tiny, tiny + 3, 12345).ec == std::errc::value_too_large);

    std::mt19937 random(12);
    for (int i = 0; i < 500; i++) {
        int32_t number = static_cast<int32_t>(random());
        int base = 2 + i % 35;
        std::string word = text(number, base);
        int32_t back = 0;
        auto done = std::from_chars(word.data(), word.data() + word.size(), back, base);
        assert(done.ec == std::errc() && back == number);
    }
    std::array<char, 64> buffer;
    for (double value : {0.1, 1e100, -2.5, 1.0 / 3.0, 123456789.0, 5e-324, 0.0}) {
        auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
        assert(error == std::errc());
        std::string shortest(buffer.data(), end);
        assert(std::strtod(shortest.c_str(), nullptr) == value);
        std::cout << shortest << ' ';
    }
    auto fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), 3.14159, std::chars_format::fixed, 2);
    auto science = std::to_chars(fixed.ptr, buffer.data() + buffer.size(), 31415.9, std::chars_format::scientific, 3);
    std::cout << std::string_view(buffer.data(), science.ptr) << '\n';
}
