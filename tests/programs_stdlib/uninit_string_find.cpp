// A string made of a buffer that is not filled to its end.
// SANITIZE: memory
#include <cstdio>
#include <string>

int main() {
    char buffer[32];
    for (int i = 0; i < 16; ++i) buffer[i] = 'a';
#ifdef FIXED
    std::string text(buffer, 16);
#else
    std::string text(buffer, 32);
#endif
    std::printf("%d\n", text.find('b') == std::string::npos); // EXPECT: use-of-uninitialized-value
}
