// The text of a string is printed after the string has moved it.
#include <iostream>
#include <string>

int main() {
    std::string path = "/a/folder/with/a/rather/long/name";
    const char *text = path.c_str();
    path += "/and/more/folders/in/it/so/that/it/has/to/move";
#ifdef FIXED
    text = path.c_str();
#endif
    std::cout << text << '\n'; // EXPECT: heap-use-after-free
}
