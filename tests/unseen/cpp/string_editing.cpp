// Strings: every way to build, cut, search, convert and compare them, narrow and wide.
#include <algorithm>
#include <cassert>
#include <cctype>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

static std::string trim(std::string_view text) {
    auto from = text.find_first_not_of(" \t\n"), to = text.find_last_not_of(" \t\n");
    return from == text.npos ? "" : std::string(text.substr(from, to - from + 1));
}
static std::vector<std::string> split(const std::string &text, char by) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, by);) parts.push_back(trim(part));
    return parts;
}
static std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
}
static int distance(const std::string &a, const std::string &b) {
    std::vector<int> row(b.size() + 1);
    for (size_t k = 0; k <= b.size(); k++) row[k] = int(k);
    for (size_t i = 1; i <= a.size(); i++) {
        int diagonal = row[0];
        row[0] = int(i);
        for (size_t k = 1; k <= b.size(); k++) {
            int up = row[k];
            row[k] = std::min({up + 1, row[k - 1] + 1, diagonal + (a[i - 1] != b[k - 1])});
            diagonal = up;
        }
    }
    return row.back();
}

int main() {
    for (const auto &part : split(" one, two words ,, three\t,", ',')) std::cout << '<' << part << '>';
    std::cout << '\n' << replace_all("a.b.c", ".", "::") << ' ' << distance("kitten", "sitting") << '\n';
    std::string text;
    for (int i = 0; i < 26; i++) text += char('a' + i);
    text.insert(3, "INSERTED", 2).erase(0, 1).replace(5, 3, 2, '-').append(text, 0, 4);
    std::cout << text << ' ' << text.size() << '\n';
    std::string small = "short", moved = std::move(small);
    small = "reused after the move, with a text of the heap";
    std::swap(small, moved);
    assert(small == "short" && moved.starts_with("reused") && moved.ends_with("heap"));
    std::cout << std::stoi("42abc") << ' ' << std::stol("ff", nullptr, 16) << ' ' << std::stod("2.5e-1") << ' ' << std::to_string(1.5) << '\n';
    size_t used;
    assert(std::stoull("123rest", &used) == 123 && used == 3);
    for (const char *bad : {"none", "99999999999999"}) {
        try {
            (void)std::stoi(bad);
        } catch (const std::invalid_argument &) {
            std::cout << "invalid ";
        } catch (const std::out_of_range &) {
            std::cout << "out of range\n";
        }
    }
    try {
        (void)text.at(1000);
        return 1;
    } catch (const std::out_of_range &) {
    }
    std::string with_null("a\0b", 3);
    assert(with_null.size() == 3 && std::strlen(with_null.c_str()) == 1 && with_null != "a");
    char copy[4] = "";
    text.copy(copy, 3, 1);
    std::cout << copy << ' ' << text.rfind('b') << text.find_first_of("xyz") << (text.compare(0, 3, "bcd") == 0) << '\n';
    std::u16string sixteen = u"sixteen \u20ac";
    std::u32string wide32 = U"thirty-two";
    std::wstring wide = L"wide " + std::to_wstring(42);
    std::cout << sixteen.size() << wide32.size() << wide.size() << ' ' << std::hash<std::string>()("x") - std::hash<std::string_view>()("x") << '\n';
    std::string upper(10, '\0');
    std::transform(text.begin(), text.begin() + 10, upper.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    std::sort(upper.begin(), upper.end());
    upper.erase(std::unique(upper.begin(), upper.end()), upper.end());
    std::cout << upper << ' ' << std::count_if(text.begin(), text.end(), ::isupper) << '\n';
    std::string grown;
    grown.reserve(1000);
    auto capacity = grown.capacity();
    for (int i = 0; i < 100; i++) grown += "0123456789";
    assert(grown.capacity() == capacity && grown.substr(995) == "56789");
    grown.resize(5), grown.shrink_to_fit();
    std::cout << grown << R"(raw \n text)" << '\n';
}
