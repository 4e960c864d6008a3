// Tuples, pairs, apply, structured bindings, integer sequences and comparison.
#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct Version {
    int major, minor, patch;
    std::string label;
    auto operator<=>(const Version &other) const {
        if (auto c = std::tie(major, minor, patch) <=> std::tie(other.major, other.minor, other.patch); c != 0) return c;
        return label <=> other.label;
    }
    bool operator==(const Version &) const = default;
};

template <class Tuple, size_t... I> static void print(const Tuple &t, std::index_sequence<I...>) {
    ((std::cout << (I ? ", " : "(") << std::get<I>(t)), ...);
    std::cout << ")\n";
}
template <class... Ts> static void print(const std::tuple<Ts...> &t) { print(t, std::index_sequence_for<Ts...>()); }

static std::tuple<bool, std::string, size_t> lookup(const std::map<std::string, std::string> &table, const std::string &key) {
    if (auto at = table.find(key); at != table.end()) return {true, at->second, at->second.size()};
    return {false, {}, 0};
}

struct NoCopy {
    explicit NoCopy(int n) : number(n) {}
    NoCopy(const NoCopy &) = delete;
    int number;
};

int main() {
    std::tuple<int, std::string, double> t{1, "a string that is longer than twenty-two bytes", 2.5};
    print(t);
    std::get<std::string>(t) += "!";
    auto [number, text, real] = t;
    assert(number == 1 && text.back() == '!' && real == 2.5);
    auto both = std::tuple_cat(t, std::make_tuple('c', std::string("tail")), std::array{7, 8});
    static_assert(std::tuple_size_v<decltype(both)> == 7);
    print(both);
    std::cout << std::apply([](auto... each) { return (sizeof(each) + ...) > 0; }, both) << '\n';
    std::map<std::string, std::string> table{{"key", "some value"}};
    if (auto [found, value, size] = lookup(table, "key"); found) std::cout << value << size << '\n';
    bool found;
    std::tie(found, std::ignore, std::ignore) = lookup(table, "none");
    assert(!found);

    std::vector<Version> versions{{1, 10, 0, ""}, {1, 2, 3, "rc"}, {1, 2, 3, "beta"}, {0, 9, 9, ""}};
    std::sort(versions.begin(), versions.end());
    for (const auto &[a, b, c, label] : versions) std::cout << a << '.' << b << '.' << c << label << ' ';
    std::cout << (versions[0] < versions[1]) << (versions[1] == versions[2]) << (versions[3] >= versions[0]) << '\n';
    std::pair<NoCopy, NoCopy> built(std::piecewise_construct, std::forward_as_tuple(4), std::forward_as_tuple(5));
    std::cout << built.first.number << built.second.number << '\n';
    std::set<std::pair<int, std::string>> pairs{{2, "b"}, {1, "z"}, {2, "a"}};
    for (auto &[first, second] : pairs) std::cout << first << second << ' ';
    auto moved = std::make_from_tuple<std::string>(std::make_tuple(size_t(3), 'x'));
    std::cout << moved << ' ' << ((1.0 <=> 2.0) == std::partial_ordering::less) << std::is_eq(3 <=> 3) << '\n';
}
