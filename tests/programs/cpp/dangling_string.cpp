// c_str of a temporary: the letters are gone at the end of the statement.
#include <iostream>
#include <string>

static std::string greeting(int count) {
    return std::string(static_cast<std::size_t>(30 + count), 'g');
}

int main(int argc, char **) {
    const volatile char *letters = greeting(argc).c_str(); // FREED
    char letter = letters[2]; // EXPECT: heap-use-after-free read 1
    std::cout << letter << '\n';
    return 0;
}
