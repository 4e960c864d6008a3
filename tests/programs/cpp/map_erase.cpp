// The node of an erased map element is read through the old iterator.
#include <iostream>
#include <map>

int main(int argc, char **) {
    std::map<int, int> ages{{1, 10}, {2, 20}, {3, 30}};
    auto found = ages.find(argc + 1);
    const volatile int *age = &found->second;
    ages.erase(found); // FREED
    int value = *age; // EXPECT: heap-use-after-free read 4
    std::cout << value << '\n';
    return 0;
}
