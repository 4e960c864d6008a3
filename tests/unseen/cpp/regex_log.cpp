// Lines of a log are taken apart with regular expressions.
#include <cassert>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

int main() {
    const std::vector<std::string> lines = {
        "2024-01-31 10:00:01 INFO  [net] connected to 10.0.0.1:8080",
        "2024-01-31 10:00:02 WARN  [disk] usage=91% path=/var/log",
        "garbage",
        "2024-02-01 00:10:07 ERROR [net] lost 10.0.0.1:8080 after 12ms",
    };
    const std::regex line(R"((\d{4})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d) (\w+)\s+\[(\w+)\] (.*))");
    const std::regex address(R"((\d+(?:\.\d+){3}):(\d+))");
    std::map<std::string, int> levels;
    for (const auto &text : lines) {
        std::smatch parts;
        if (!std::regex_match(text, parts, line)) {
            std::cout << "skipped: " << text << '\n';
            continue;
        }
        levels[parts[5]]++;
        std::string rest = parts[7];
        std::smatch found;
        if (std::regex_search(rest, found, address))
            std::cout << parts[6] << " at " << found[1] << " port " << found[2] << ", prefix '" << found.prefix() << "'\n";
    }
    for (const auto &[level, count] : levels) std::cout << level << ' ' << count << '\n';

    const std::string text = "the quick brown fox jumps over the lazy dog";
    const std::regex word("[a-z]+");
    std::vector<std::string> words(std::sregex_token_iterator(text.begin(), text.end(), word), {});
    assert(words.size() == 9 && words[3] == "fox");
    std::cout << std::regex_replace(text, std::regex("(the) (\\w+)"), "$2 $1") << '\n';
    const std::regex comma(",\\s*");
    const std::string list = "a, b,c,   d";
    for (std::sregex_token_iterator at(list.begin(), list.end(), comma, -1), end; at != end; ++at)
        std::cout << '<' << *at << '>';
    std::cout << '\n';
    std::cout << std::regex_match("ABBA", std::regex("(a)(b)\\2\\1", std::regex::icase)) << '\n';
    std::cout << std::regex_search("xaby", std::regex("a(?=b)")) << std::regex_search("xacy", std::regex("a(?=b)")) << '\n';
    try {
        std::regex wrong("(unclosed");
        return 1;
    } catch (const std::regex_error &error) {
        std::cout << (error.code() == std::regex_constants::error_paren) << '\n';
    }
}
