// Views and range algorithms over a table of people.
#include <algorithm>
#include <cassert>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>
namespace rv = std::views;

struct Person {
    std::string name;
    int age;
    std::string town;
};

int main() {
    std::vector<Person> people = {{"Ada", 36, "London"},        {"Grace", 85, "Arlington"}, {"Alan", 41, "Wilmslow"},
                                  {"Edsger", 72, "Nuenen"},     {"Barbara", 84, "Boston"},  {"Donald", 86, "Stanford"},
                                  {"Tony with a long name", 90, "Cambridge"}};
    std::ranges::sort(people, std::greater{}, &Person::age);
    for (const auto &name : people | rv::filter([](const Person &p) { return p.age > 80; }) | rv::transform(&Person::name) | rv::take(3))
        std::cout << name << ' ';
    std::cout << '\n';
    auto oldest = std::ranges::max_element(people, {}, &Person::age);
    auto [low, high] = std::ranges::minmax(people | rv::transform(&Person::age));
    std::cout << oldest->town << ' ' << low << ' ' << high << '\n';
    assert(std::ranges::is_sorted(people, std::ranges::greater{}, &Person::age));

    auto squares = rv::iota(1) | rv::transform([](int x) { return x * x; }) | rv::drop_while([](int x) { return x < 50; }) | rv::take(5);
    std::vector<int> numbers;
    std::ranges::copy(squares, std::back_inserter(numbers));
    for (int number : numbers | rv::reverse) std::cout << number << ' ';
    std::cout << '\n';

    std::string_view text = "one,two,,three";
    for (auto part : text | rv::split(',')) std::cout << '[' << std::string_view(part.begin(), part.end()) << ']';
    std::cout << '\n';
    std::vector<std::vector<int>> rows = {{1, 2}, {}, {3}, {4, 5, 6}};
    auto flat = rows | rv::join;
    std::cout << std::accumulate(flat.begin(), flat.end(), 0) << ' ' << std::ranges::distance(flat) << '\n';
    std::map<std::string, int> counts{{"x", 1}, {"y", 2}};
    for (auto &value : counts | rv::values) value *= 10;
    for (const auto &key : counts | rv::keys) std::cout << key << counts[key] << ' ';
    std::cout << '\n';
    auto removed = std::ranges::remove_if(numbers, [](int x) { return x % 2; });
    numbers.erase(removed.begin(), removed.end());
    std::cout << numbers.size() << std::ranges::binary_search(numbers, 100) << std::ranges::count(numbers, 64) << '\n';
    auto rest = std::ranges::partition(people, [](const Person &p) { return p.name.size() > 4; });
    std::cout << std::ranges::distance(people.begin(), rest.begin()) << ' ' << (rest.end() == people.end()) << '\n';
    std::cout << std::ranges::equal(rv::iota(0, 5) | rv::common, std::vector{0, 1, 2, 3, 4}) << rv::single(42).front() << '\n';
}
