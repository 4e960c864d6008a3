// The type of an object that was deleted is asked for.
#include <cstdio>
#include <memory>

struct Shape {
    virtual ~Shape() = default;
    int sides = 0;
};
struct Square : Shape {
    int side = 4;
};

int main() {
    std::unique_ptr<Shape> owner = std::make_unique<Square>();
    Shape *shape = owner.get();
#ifndef FIXED
    owner.reset();
#endif
    auto *square = dynamic_cast<Square *>(shape); // EXPECT: heap-use-after-free
    std::printf("%d\n", square != nullptr);
}
