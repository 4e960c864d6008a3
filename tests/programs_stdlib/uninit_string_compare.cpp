// A string whose size grew before its characters were written is compared.
// SANITIZE: memory
#include <cstdio>
#include <string>

int main() {
    std::string text;
    text.resize_and_overwrite(40, [](char *at, std::size_t n) {
#ifdef FIXED
        for (std::size_t i = 0; i < n; ++i) at[i] = 'x';
#else
        at[0] = 'x';
#endif
        return n;
    });
    std::string other(40, 'x');
    std::printf("%d\n", text == other); // EXPECT: use-of-uninitialized-value
}
