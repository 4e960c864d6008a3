// Concepts, constexpr, fold expressions, deduction guides, CRTP, if constexpr, literal operators.
#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

template <class T>
concept Shape = requires(const T &t) {
    { t.area() } -> std::convertible_to<double>;
    { T::name } -> std::convertible_to<std::string_view>;
};
template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

struct Square {
    static constexpr std::string_view name = "square";
    double side;
    double area() const { return side * side; }
};
struct Rectangle {
    static constexpr std::string_view name = "rectangle";
    double a, b;
    double area() const { return a * b; }
};
static std::string describe(const Shape auto &shape) { return std::string(shape.name) + " " + std::to_string(shape.area()); }
static std::string describe(const auto &) { return "no shape"; }

template <Number T, size_t N> struct Vector {
    std::array<T, N> values;
    constexpr T dot(const Vector &other) const {
        T sum{};
        for (size_t i = 0; i < N; i++) sum += values[i] * other.values[i];
        return sum;
    }
    constexpr auto operator<=>(const Vector &) const = default;
};
template <Number T, std::same_as<T>... Ts> Vector(T, Ts...) -> Vector<T, 1 + sizeof...(Ts)>;

template <class Derived> struct Counted {
    static inline int made = 0;
    Counted() { ++made; }
    const Derived &self() const { return static_cast<const Derived &>(*this); }
    std::string label() const { return self().text() + "#" + std::to_string(made); }
};
struct Widget : Counted<Widget> {
    std::string text() const { return "widget with a label that is long"; }
};

static consteval uint64_t power(uint64_t base, unsigned n) { return n == 0 ? 1 : base * power(base, n - 1); }
static constexpr auto sieve = [] {
    std::array<bool, 50> prime{};
    for (size_t i = 2; i < prime.size(); i++) {
        prime[i] = true;
        for (size_t k = 2; k * k <= i; k++) prime[i] = prime[i] && i % k;
    }
    return prime;
}();
static constexpr unsigned long long operator""_kib(unsigned long long n) { return n * 1024; }

template <class... Ts> static auto join(std::string_view separator, const Ts &...parts) {
    std::string out;
    auto add = [&](const auto &part) {
        if (!out.empty()) out += separator;
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>) out += std::to_string(part);
        else out += part;
    };
    (add(parts), ...);
    return out;
}

template <std::input_iterator It> static auto total(It first, It last) requires Number<std::iter_value_t<It>> {
    std::iter_value_t<It> sum{};
    for (; first != last; ++first) sum += *first;
    return sum;
}

int main() {
    std::cout << describe(Square{3}) << ", " << describe(Rectangle{2, 4}) << ", " << describe(7) << '\n';
    constexpr Vector a{1, 2, 3}, b{4, 5, 6};
    static_assert(a.dot(b) == 32 && a < b && power(3, 10) == 59049 && 4_kib == 4096);
    std::cout << std::count(sieve.begin(), sieve.end(), true) << ' ' << join("-", "x", 5, std::string("y"), 2u) << '\n';
    Widget one, two;
    std::cout << two.label() << ' ' << Widget::made << '\n';
    std::vector<float> values{0.5f, 1.5f};
    std::cout << total(values.begin(), values.end()) << ' ' << std::is_same_v<std::common_type_t<int, double>, double> << '\n';
    auto generic = []<class T>(std::vector<T> v) { return v.empty() ? T{} : v.back(); };
    std::cout << generic(std::vector<std::string>{"first", "a last string that is allocated"}) << '\n';
    assert((!Shape<int> && Shape<Square> && std::regular<std::string> && !std::copyable<std::unique_ptr<int>>));
}
