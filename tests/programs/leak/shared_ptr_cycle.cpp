// Two objects that own each other.
// NATIVE: miss copies of both pointers are left in dead stack, which is scanned
#include <memory>

struct Node {
    std::shared_ptr<Node> other;
};

static void lose() {
    std::shared_ptr<Node> first(new Node);  // EXPECT: indirect-leak
    std::shared_ptr<Node> second(new Node); // EXPECT: indirect-leak
    first->other = second;
    second->other = first;
}

int main() {
    lose();
    return 0;
}
