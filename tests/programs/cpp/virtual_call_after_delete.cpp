// A virtual call on a deleted object reads its vtable pointer.
#include <iostream>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

struct Square : Shape {
    double side = 2;
    double area() const override { return side * side; }
};

static Shape *volatile shape;

int main() {
    shape = new Square; // ALLOCATED
    double area = shape->area();
    delete shape;
    area += shape->area(); // EXPECT: heap-use-after-free read 8
    std::cout << area << '\n';
    return 0;
}
