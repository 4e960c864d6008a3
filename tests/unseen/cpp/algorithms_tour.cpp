// The algorithms: sorting, partitions, sets, heaps, permutations, searches, removal.
#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

struct Person {
    std::string name;
    int age;
};

template <class C> static void show(const char *what, const C &c) {
    std::cout << what;
    for (const auto &each : c) std::cout << ' ' << each;
    std::cout << '\n';
}

int main() {
    std::vector<Person> people{{"Zoe", 30}, {"Adam", 25}, {"Maria", 30}, {"Bob", 25}, {"A name that needs the heap", 41}};
    std::stable_sort(people.begin(), people.end(), [](const Person &a, const Person &b) { return a.age < b.age; });
    for (const auto &p : people) std::cout << p.name << p.age << ' ';
    std::cout << '\n';
    auto split = std::stable_partition(people.begin(), people.end(), [](const Person &p) { return p.name.size() <= 3; });
    std::cout << split - people.begin() << people.front().name << '\n';

    std::vector<int> v{7, 3, 9, 1, 5, 8, 2, 6, 4, 0};
    auto heap = v;
    std::make_heap(heap.begin(), heap.end());
    heap.push_back(11), std::push_heap(heap.begin(), heap.end());
    std::pop_heap(heap.begin(), heap.end());
    std::cout << heap.back() << heap.front() << std::is_heap(heap.begin(), heap.end() - 1) << '\n';
    std::nth_element(v.begin(), v.begin() + 4, v.end());
    std::cout << v[4] << ' ';
    std::partial_sort(v.begin(), v.begin() + 3, v.end(), std::greater<>());
    std::cout << v[0] << v[1] << v[2] << '\n';
    std::sort(v.begin(), v.end());
    auto [low, high] = std::equal_range(v.begin(), v.end(), 6);
    std::cout << high - low << std::binary_search(v.begin(), v.end(), 10) << *std::lower_bound(v.begin(), v.end(), 5) << '\n';

    std::vector<int> a{1, 2, 2, 3, 5, 8}, b{2, 3, 4, 8, 9}, out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    show("and", out), out.clear();
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    show("xor", out), out.clear();
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    show("merge", out);
    std::cout << std::includes(out.begin(), out.end(), a.begin(), a.end()) << '\n';

    std::string letters = "abc";
    int permutations = 0;
    do permutations++;
    while (std::next_permutation(letters.begin(), letters.end()));
    std::cout << permutations << letters << '\n';
    std::string text = "the rain in spain stays mainly";
    auto found = std::search(text.begin(), text.end(), std::boyer_moore_searcher(letters.begin(), letters.end()));
    std::string needle = "main";
    auto other = std::search(text.begin(), text.end(), std::boyer_moore_horspool_searcher(needle.begin(), needle.end()));
    std::cout << (found == text.end()) << other - text.begin() << ' ' << std::count(text.begin(), text.end(), 'n') << '\n';
    auto end = std::remove(text.begin(), text.end(), ' ');
    text.erase(end, text.end());
    std::reverse(text.begin(), text.end());
    std::replace_if(text.begin(), text.end(), [](char c) { return c == 'n'; }, '_');
    std::cout << text << '\n';
    std::array<int, 5> rolled{1, 2, 3, 4, 5};
    std::rotate(rolled.begin(), rolled.begin() + 2, rolled.end());
    std::swap_ranges(rolled.begin(), rolled.begin() + 2, rolled.begin() + 3);
    show("rolled", rolled);
    auto [smallest, largest] = std::minmax_element(rolled.begin(), rolled.end());
    std::cout << *smallest << *largest << std::clamp(12, 0, 10) << std::all_of(rolled.begin(), rolled.end(), [](int x) { return x > 0; }) << '\n';
    std::cout << std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()) << (std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin()) << *std::adjacent_find(a.begin(), a.end()) << '\n';
    std::vector<int> shifted(6);
    std::iota(shifted.begin(), shifted.end(), 0);
    std::shift_left(shifted.begin(), shifted.end(), 2);
    std::transform(shifted.begin(), shifted.begin() + 4, a.begin(), shifted.begin(), std::plus<>());
    shifted.resize(4);
    show("shifted", shifted);
    assert(std::is_permutation(v.begin(), v.end(), std::vector<int>{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}.begin()));
}
