// A structure that was read from too short a file is printed by a stream.
// SANITIZE: memory
#include <iostream>
#include <sstream>

struct Header {
    int magic, version, length;
};

int main() {
    Header header;
    std::istringstream file(std::string("\1\0\0\0\2\0\0\0", 8));
    file.read(reinterpret_cast<char *>(&header), sizeof header);
#ifdef FIXED
    header.length = 0;
#endif
    std::cout << header.length << '\n'; // EXPECT: use-of-uninitialized-value
}
