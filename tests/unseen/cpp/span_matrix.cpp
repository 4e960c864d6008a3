// Spans and string views: windows over data that somebody else owns.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

class Matrix {
  public:
    Matrix(size_t rows, size_t columns) : columns_(columns), data_(rows * columns) {}
    std::span<double> row(size_t r) { return std::span(data_).subspan(r * columns_, columns_); }
    std::span<const double> row(size_t r) const { return std::span(data_).subspan(r * columns_, columns_); }
    size_t rows() const { return data_.size() / columns_; }

  private:
    size_t columns_;
    std::vector<double> data_;
};

static double dot(std::span<const double> a, std::span<const double> b) {
    assert(a.size() == b.size());
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

template <size_t N> static int sum_fixed(std::span<const int, N> values) {
    return std::accumulate(values.begin(), values.end(), int(N) * 100);
}

static uint32_t checksum(std::span<const std::byte> bytes) {
    uint32_t sum = 1;
    for (std::byte b : bytes) sum = sum * 31 + std::to_integer<uint32_t>(b);
    return sum;
}

static std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    while (true) {
        auto from = text.find_first_not_of(' ');
        if (from == text.npos) return found;
        text.remove_prefix(from);
        auto to = std::min(text.find(' '), text.size());
        found.push_back(text.substr(0, to));
        text.remove_prefix(to);
    }
}

int main() {
    Matrix m(4, 5);
    for (size_t r = 0; r < m.rows(); r++) std::iota(m.row(r).begin(), m.row(r).end(), double(r));
    const Matrix &view = m;
    std::cout << dot(view.row(0), view.row(3)) << ' ' << view.row(2).back() << '\n';
    std::ranges::fill(m.row(1).first(2), -1.0);
    std::cout << view.row(1)[1] << view.row(1)[2] << '\n';

    int raw[] = {5, 3, 9, 1};
    std::array<int, 3> fixed{1, 2, 3};
    std::sort(std::span(raw).begin(), std::span(raw).end());
    std::cout << sum_fixed<4>(raw) << ' ' << sum_fixed<3>(fixed) << ' ' << std::span(raw).last<2>()[0] << '\n';
    std::uint32_t word = 0x01020304;
    auto bytes = std::as_bytes(std::span(&word, 1));
    std::cout << bytes.size() << ' ' << checksum(bytes) << '\n';
    std::as_writable_bytes(std::span(&word, 1))[3] = std::byte{0xff};
    std::cout << std::hex << word << std::dec << ' ' << std::span<int>().empty() << '\n';

    std::string text = "  the  string view does not own its text ";
    auto list = words(text);
    std::cout << list.size() << ' ' << list.back() << ' ' << list[1].starts_with("str") << list[1].ends_with("x") << '\n';
    constexpr std::string_view fixed_text = "compile time";
    static_assert(fixed_text.find("time") == 8 && fixed_text.substr(0, 7) == "compile");
    std::cout << (list[0] < list[1]) << list[3].compare("does") << std::string(list[2]) + "!" << '\n';
}
