// The parts of a match point into a text that has changed.
#include <iostream>
#include <regex>
#include <string>

int main() {
    std::string line = "user=somebody with a long name; host=here";
    std::smatch parts;
    std::regex_search(line, parts, std::regex("user=([^;]*)"));
#ifdef FIXED
    std::string user = parts[1].str();
    line.assign(200, '-');
#else
    line.assign(200, '-'); // FREED
    std::string user = parts[1].str(); // EXPECT: heap-use-after-free
#endif
    std::cout << user << '\n';
}
