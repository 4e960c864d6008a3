// A member that nobody has set travels through a vector into a search.
// SANITIZE: memory
#include <algorithm>
#include <cstdio>
#include <vector>

struct Item {
    int key;
    int weight;
    explicit Item(int k) : key(k) {
#ifdef FIXED
        weight = 0;
#endif
    }
};

int main() {
    std::vector<Item> items;
    for (int i = 0; i < 10; ++i) items.emplace_back(i);
    auto heaviest = std::max_element(items.begin(), items.end(), [](const Item &a, const Item &b) {
        return a.weight < b.weight; // EXPECT: use-of-uninitialized-value
    });
    std::printf("%d\n", heaviest->key >= 0);
}
