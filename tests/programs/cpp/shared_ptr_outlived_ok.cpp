// The twin of shared_ptr_outlived: a weak_ptr knows.
// STDOUT: 5 expired
#include <iostream>
#include <memory>

struct Node {
    volatile int value = 5;
};

int main() {
    auto owner = std::make_shared<Node>();
    std::weak_ptr<Node> observer = owner;
    if (auto locked = observer.lock()) std::cout << locked->value << ' ';
    owner.reset();
    std::cout << (observer.lock() ? "alive" : "expired") << '\n';
    return 0;
}
