// Fewer bytes were read than are looked at.
// SANITIZE: memory
#include <cstdio>
#include <sstream>

int main() {
    std::istringstream in("short");
    char record[16];
    in.read(record, sizeof record);
#ifdef FIXED
    std::size_t n = in.gcount();
#else
    std::size_t n = sizeof record;
#endif
    for (std::size_t i = 0; i < n; ++i)
        if (record[i] == 'x') return 1; // EXPECT: use-of-uninitialized-value
    std::puts("no x");
}
