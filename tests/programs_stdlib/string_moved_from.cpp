// A string that was moved away is read as if it were still there.
#include <cstdio>
#include <string>
#include <utility>

int main() {
    std::string first = "a text that is long enough to live on the heap";
    std::string second = std::move(first);
#ifdef FIXED
    first = second;
#endif
    std::printf("%c %zu\n", first[10], second.size()); // EXPECT: library-precondition
}
