// A raw pointer outlives the last shared_ptr.
#include <iostream>
#include <memory>

struct Node {
    volatile int value = 5;
};

int main() {
    auto owner = std::make_shared<Node>();
    auto second = owner;
    Node *raw = owner.get();
    owner.reset();
    int sum = raw->value;
    second.reset();
    sum += raw->value; // EXPECT: heap-use-after-free read 4
    std::cout << sum << '\n';
    return 0;
}
