// The twin of virtual_call_after_delete: virtual calls through single and multiple inheritance.
// STDOUT: 4 square 3.5 named circle
#include <iostream>
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

struct Named {
    virtual ~Named() = default;
    virtual const char *name() const { return "unnamed"; }
};

struct Square : Shape, Named {
    double side = 2;
    double area() const override { return side * side; }
    const char *name() const override { return "square"; }
};

struct Circle final : Shape, virtual Named {
    double area() const override { return 3.5; }
    const char *name() const override { return "named circle"; }
};

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>());
    shapes.push_back(std::make_unique<Circle>());
    const char *separator = "";
    for (const auto &shape : shapes) {
        const auto *named = dynamic_cast<const Named *>(shape.get());
        std::cout << separator << shape->area() << ' ' << (named ? named->name() : "none");
        separator = " ";
    }
    std::cout << '\n';
    return 0;
}
