// The twin of map_erase: erase returns the next iterator; other nodes stay where they are.
// STDOUT: 30 2
#include <iostream>
#include <map>

int main(int argc, char **) {
    std::map<int, int> ages{{1, 10}, {2, 20}, {3, 30}};
    auto found = ages.find(argc + 1);
    auto next = ages.erase(found);
    std::cout << next->second << ' ' << ages.size() << '\n';
    return 0;
}
