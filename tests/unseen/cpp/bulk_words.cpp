// Counting words of a text with several containers, which must all agree.
#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

static std::string make_text() {
    static const std::array words{"alpha", "beta", "gamma", "delta", "a-rather-long-hyphenated-word", "x"};
    std::ostringstream out;
    unsigned state = 17;
    for (int i = 0; i < 400; i++) {
        state = state * 1664525u + 1013904223u;
        out << words[state / 7 % words.size()] << (i % 11 == 10 ? ".\n" : state % 5 ? " " : ", ");
    }
    return out.str();
}

static std::vector<std::string_view> tokens(std::string_view text) {
    std::vector<std::string_view> out;
    auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-'; };
    for (auto at = text.begin(); at != text.end();) {
        at = std::find_if(at, text.end(), is_word);
        auto end = std::find_if_not(at, text.end(), is_word);
        if (at != end) out.push_back(text.substr(size_t(at - text.begin()), size_t(end - at)));
        at = end;
    }
    return out;
}

struct Trie {
    std::map<char, Trie> next;
    int count = 0;
    void add(std::string_view word) {
        Trie *at = this;
        for (char c : word) at = &at->next[c];
        at->count++;
    }
    void visit(std::string &prefix, std::vector<std::pair<std::string, int>> &out) const {
        if (count) out.emplace_back(prefix, count);
        for (const auto &[c, child] : next) {
            prefix.push_back(c);
            child.visit(prefix, out);
            prefix.pop_back();
        }
    }
};

int main() {
    const std::string text = make_text();
    const auto words = tokens(text);
    std::map<std::string_view, int> ordered;
    std::unordered_map<std::string, int> hashed;
    Trie trie;
    for (auto word : words) ordered[word]++, hashed[std::string(word)]++, trie.add(word);
    std::vector<std::pair<std::string, int>> listed;
    std::string prefix;
    trie.visit(prefix, listed);
    auto sorted = words;
    std::sort(sorted.begin(), sorted.end());
    for (const auto &[word, count] : listed) {
        auto [from, to] = std::equal_range(sorted.begin(), sorted.end(), std::string_view(word));
        assert(ordered.at(word) == count && hashed.at(word) == count && to - from == count);
        std::cout << std::setw(30) << std::left << word << std::right << std::setw(5) << count << '\n';
    }
    std::istringstream lines(text);
    size_t n_lines = 0, longest = 0;
    for (std::string line; std::getline(lines, line); n_lines++) longest = std::max(longest, line.size());
    std::set<char> letters(text.begin(), text.end());
    std::cout << words.size() << ' ' << n_lines << ' ' << longest << ' ' << letters.size() << '\n';
    std::vector<std::pair<int, std::string_view>> ranking;
    for (const auto &[word, count] : ordered) ranking.emplace_back(-count, word);
    std::partial_sort(ranking.begin(), ranking.begin() + 2, ranking.end());
    std::cout << ranking[0].second << ' ' << ranking[1].second << '\n';
}
