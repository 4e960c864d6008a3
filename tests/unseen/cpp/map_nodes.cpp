// Ordered and hashed containers: hints, node handles, merge, ranges of equal keys, own hashes.
#include <algorithm>
#include <cassert>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
struct Cell {
    int x, y;
    bool operator==(const Cell &) const = default;
};
template <> struct std::hash<Cell> {
    size_t operator()(const Cell &cell) const noexcept { return size_t(cell.x * 73856093) ^ size_t(cell.y * 19349663); }
};

int main() {
    std::map<int, std::unique_ptr<std::string>> owner;
    for (int i = 0; i < 10; i++) owner.emplace_hint(owner.end(), i * i, std::make_unique<std::string>(30, char('a' + i)));
    auto node = owner.extract(49);
    assert(node && *node.mapped() == std::string(30, 'h'));
    node.key() = 1000;
    auto result = owner.insert(std::move(node));
    std::cout << result.inserted << ' ' << owner.rbegin()->first << ' ' << *owner.rbegin()->second << '\n';
    auto [at, added] = owner.insert_or_assign(4, std::make_unique<std::string>("assigned"));
    assert(!added && *at->second == "assigned" && !owner.try_emplace(4, nullptr).second);
    std::cout << std::distance(owner.lower_bound(10), owner.upper_bound(64)) << owner.contains(81) << owner.count(82) << '\n';
    std::map<int, std::unique_ptr<std::string>> other;
    other[4] = std::make_unique<std::string>("stays");
    other[5] = std::make_unique<std::string>("moves");
    owner.merge(other);
    assert(other.size() == 1 && other.begin()->first == 4 && *owner.at(5) == "moves");

    std::multimap<std::string, int> index;
    std::string text = "one two three two one two";
    for (size_t from = 0, i = 0; from < text.size(); i++) {
        size_t to = std::min(text.find(' ', from), text.size());
        index.emplace(text.substr(from, to - from), int(i));
        from = to + 1;
    }
    auto [first, last] = index.equal_range("two");
    for (; first != last; ++first) std::cout << first->second;
    std::cout << ' ' << index.erase("two") << index.size() << '\n';

    std::unordered_map<std::string, int, TextHash, std::equal_to<>> counts;
    counts.reserve(100);
    for (int i = 0; i < 1000; i++) counts["key number " + std::to_string(i % 37)] += i;
    assert(counts.size() == 37 && counts.load_factor() <= counts.max_load_factor());
    std::string_view probe = "key number 36";
    std::cout << counts.find(probe)->second << ' ' << counts.contains("no such key") << '\n';
    std::erase_if(counts, [](const auto &entry) { return entry.second % 2 == 0; });
    auto taken = counts.extract(counts.begin());
    counts.rehash(7);
    counts.insert(std::move(taken));
    std::cout << counts.size() << '\n';
    std::unordered_set<Cell> alive{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    for (int generation = 0; generation < 8; generation++) {
        std::unordered_map<Cell, int> neighbours;
        for (auto [x, y] : alive)
            for (int dx = -1; dx <= 1; dx++)
                for (int dy = -1; dy <= 1; dy++)
                    if (dx || dy) neighbours[{x + dx, y + dy}]++;
        std::unordered_set<Cell> next;
        for (auto &[cell, n] : neighbours)
            if (n == 3 || (n == 2 && alive.contains(cell))) next.insert(cell);
        alive = std::move(next);
    }
    std::vector<std::pair<int, int>> cells;
    for (auto [x, y] : alive) cells.emplace_back(x, y);
    std::sort(cells.begin(), cells.end());
    for (auto [x, y] : cells) std::cout << x << ',' << y << ' ';
    std::multiset<int, std::greater<>> sorted{3, 1, 4, 1, 5, 9, 2, 6};
    sorted.erase(sorted.find(1));
    std::copy(sorted.begin(), sorted.end(), std::ostream_iterator<int>(std::cout, " "));
    std::cout << '\n';
}
