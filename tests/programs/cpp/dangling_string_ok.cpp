// The twin of dangling_string: the string has a name, and so a lifetime; a short one has no heap.
// STDOUT: gs 31
#include <iostream>
#include <string>

static std::string greeting(int count) {
    return std::string(static_cast<std::size_t>(30 + count), 'g');
}

int main(int argc, char **) {
    const std::string text = greeting(argc);
    const std::string brief(static_cast<std::size_t>(argc), 's');
    const volatile char *letters = text.c_str();
    char letter = letters[2];
    std::cout << letter << brief << ' ' << text.size() << '\n';
    return 0;
}
