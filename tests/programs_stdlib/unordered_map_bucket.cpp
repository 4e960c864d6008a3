// The bucket of a key in a table that has no buckets yet.
#include <cstdio>
#include <string>
#include <unordered_map>

int main() {
    std::unordered_map<std::string, int> names;
#ifdef FIXED
    names["nobody"] = 0;
#endif
    std::size_t bucket = names.bucket("nobody"); // EXPECT: library-precondition
    std::printf("%d\n", bucket < 1000);
}
