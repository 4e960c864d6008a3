// A reference to a string in a vector that has grown since.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> names{"first of all the names that there are", "y"};
#ifdef FIXED
    const std::string name = names[0];
#else
    const std::string &name = names[0];
#endif
    names.push_back("a string that is longer than the short one");
    std::cout << name << '\n'; // EXPECT: heap-use-after-free
}
