// What the library's compiled half puts into a short string is initialised, wherever it moves.
// STDOUT: a/3.md:6 b.md:12
#include <iostream>
#include <string>
#include <vector>

__attribute__((noinline)) static std::string marked(std::string name, unsigned long n_bytes) {
    name += ":" + std::to_string(n_bytes);
    return name;
}

int main() {
    std::vector<std::string> names;
    names.push_back(marked("b.md", 12));
    names.push_back(marked("a/3.md", 6));
    if (names[1] < names[0]) std::swap(names[0], names[1]);
    std::cout << names[0] << ' ' << names[1] << '\n';
    return 0;
}
