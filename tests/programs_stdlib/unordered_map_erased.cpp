// Entries of a hash table are erased while it is walked.
#include <cstdio>
#include <unordered_map>

int main() {
    std::unordered_map<int, int> hits;
    for (int i = 0; i < 20; ++i) hits[i] = i % 3;
#ifdef FIXED
    std::erase_if(hits, [](const auto &entry) { return entry.second == 0; });
#else
    for (auto &entry : hits) // EXPECT: heap-use-after-free
        if (entry.second == 0) hits.erase(entry.first);
#endif
    std::printf("%zu\n", hits.size());
}
