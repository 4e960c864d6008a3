// A tour of the containers and algorithms: unordered_map, set, list, deque, sort, function.
// STDOUT: words 5, longest banana, sorted 1 2 3 5 8
// STDOUT: list 3 2 1, set 3, composed 11
#include <algorithm>
#include <deque>
#include <functional>
#include <iostream>
#include <list>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
    std::unordered_map<std::string, std::size_t> lengths;
    for (const char *word : {"fig", "banana", "apple", "kiwi", "plum"}) {
        lengths[word] = std::string(word).size();
    }
    auto longest = std::max_element(lengths.begin(), lengths.end(), [](auto &a, auto &b) {
        return a.second < b.second;
    });
    std::vector<int> numbers{5, 1, 8, 3, 2};
    std::sort(numbers.begin(), numbers.end());
    std::cout << "words " << lengths.size() << ", longest " << longest->first << ", sorted";
    for (int number : numbers) std::cout << ' ' << number;

    std::list<int> list{1, 2, 3};
    list.reverse();
    std::cout << "\nlist";
    for (int number : list) std::cout << ' ' << number;
    std::set<int> unique{3, 1, 3, 2, 1};
    std::deque<std::function<int(int)>> steps;
    steps.push_back([](int x) { return x + 1; });
    steps.push_front([](int x) { return 2 * x; });
    int value = 5;
    for (auto &step : steps) value = step(value);
    std::cout << ", set " << unique.size() << ", composed " << value << '\n';
    return 0;
}
