// Graphs: Dijkstra, topological order, components, a maze, permutations of a small tour.
#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

using Graph = std::map<std::string, std::vector<std::pair<std::string, int>>>;

static std::unordered_map<std::string, int> distances(const Graph &graph, const std::string &from) {
    std::unordered_map<std::string, int> best{{from, 0}};
    using Item = std::pair<int, std::string>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    open.emplace(0, from);
    while (!open.empty()) {
        auto [so_far, node] = open.top();
        open.pop();
        if (so_far > best[node]) continue;
        if (auto edges = graph.find(node); edges != graph.end())
            for (const auto &[to, weight] : edges->second) {
                auto [at, is_new] = best.try_emplace(to, std::numeric_limits<int>::max());
                if (so_far + weight < at->second) {
                    at->second = so_far + weight;
                    open.emplace(at->second, to);
                }
            }
    }
    return best;
}

static std::optional<std::vector<std::string>> order(const Graph &graph) {
    std::map<std::string, int> incoming;
    for (const auto &[node, edges] : graph) {
        incoming[node];
        for (const auto &edge : edges) incoming[edge.first]++;
    }
    std::set<std::string> free;
    for (const auto &[node, n] : incoming)
        if (!n) free.insert(node);
    std::vector<std::string> out;
    while (!free.empty()) {
        auto node = free.extract(free.begin()).value();
        if (auto edges = graph.find(node); edges != graph.end())
            for (const auto &edge : edges->second)
                if (--incoming[edge.first] == 0) free.insert(edge.first);
        out.push_back(std::move(node));
    }
    if (out.size() != incoming.size()) return std::nullopt;
    return out;
}

class Sets {
    std::vector<size_t> parent_;

  public:
    explicit Sets(size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }
    size_t find(size_t x) { return parent_[x] == x ? x : parent_[x] = find(parent_[x]); }
    bool join(size_t a, size_t b) {
        size_t from = find(a), to = find(b);
        parent_[from] = to;
        return from != to;
    }
};

int main() {
    Graph graph{{"home", {{"shop", 4}, {"the station with the long name", 2}}}, {"the station with the long name", {{"shop", 1}, {"work", 9}}}, {"shop", {{"work", 3}}}};
    auto best = distances(graph, "home");
    std::map<std::string, int> sorted(best.begin(), best.end());
    for (const auto &[node, distance] : sorted) std::cout << node << '=' << distance << ' ';
    std::cout << '\n';
    const auto nodes = order(graph).value();
    for (const auto &node : nodes) std::cout << node << ", ";
    graph["work"].emplace_back("home", 1);
    std::cout << order(graph).has_value() << '\n';
    Sets sets(10);
    int joined = 0;
    for (auto [a, b] : std::vector<std::pair<size_t, size_t>>{{0, 1}, {2, 3}, {1, 3}, {0, 2}, {8, 9}}) joined += sets.join(a, b);
    std::cout << joined << (sets.find(0) == sets.find(3)) << (sets.find(0) == sets.find(8)) << '\n';
    const std::array<std::string, 5> maze{"S.#..", ".##.#", "....#", ".##..", "...#E"};
    std::vector<std::vector<int>> steps(5, std::vector<int>(5, -1));
    std::queue<std::pair<int, int>> open;
    open.emplace(0, 0);
    steps[0][0] = 0;
    for (; !open.empty(); open.pop()) {
        auto [r, c] = open.front();
        for (auto [dr, dc] : {std::pair{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) {
            int y = r + dr, x = c + dc;
            if (y < 0 || x < 0 || y > 4 || x > 4 || maze[size_t(y)][size_t(x)] == '#' || steps[size_t(y)][size_t(x)] >= 0) continue;
            steps[size_t(y)][size_t(x)] = steps[size_t(r)][size_t(c)] + 1;
            open.emplace(y, x);
        }
    }
    std::cout << steps[4][4] << '\n';
    std::array<int, 6> tour{0, 1, 2, 3, 4, 5};
    int shortest = 1000;
    do {
        int length = 0;
        for (size_t i = 0; i < 6; i++) length += (tour[i] * 7 + tour[(i + 1) % 6] * 3) % 11;
        shortest = std::min(shortest, length);
    } while (std::next_permutation(tour.begin() + 1, tour.end()));
    std::cout << shortest << '\n';
}
