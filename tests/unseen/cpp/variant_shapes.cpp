// A table of shapes as a closed set of types, visited, replaced and compared.
#include <cassert>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

struct Circle {
    double radius;
};
struct Square {
    double side;
};
struct Label {
    std::string text;
};
using Shape = std::variant<std::monostate, Circle, Square, Label>;

template <class... Fs> struct overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs> overloaded(Fs...) -> overloaded<Fs...>;

static double area(const Shape &shape) {
    return std::visit(overloaded{[](std::monostate) { return 0.0; },
                                 [](const Circle &c) { return 3.0 * c.radius * c.radius; },
                                 [](const Square &s) { return s.side * s.side; },
                                 [](const Label &l) { return double(l.text.size()); }},
                      shape);
}

struct Thrower {
    Thrower() = default;
    Thrower(const Thrower &) { throw std::runtime_error("copy"); }
    Thrower &operator=(const Thrower &) = default;
};

int main() {
    std::vector<Shape> shapes{Circle{2}, Square{3}, Label{"a label that is longer than a small string"}, {}};
    double sum = 0;
    for (const auto &shape : shapes) {
        sum += area(shape);
        std::cout << shape.index() << ' ' << area(shape) << '\n';
    }
    assert(std::abs(sum - (12 + 9 + 42)) < 1e-9);

    shapes[0] = Label{"replaced"};
    shapes[2].emplace<Square>(Square{5});
    std::swap(shapes[0], shapes[3]);
    assert(std::holds_alternative<Label>(shapes[3]));
    std::cout << std::get<Label>(shapes[3]).text << ' ' << std::get<Square>(shapes[2]).side << '\n';
    try {
        std::get<Circle>(shapes[3]);
        return 1;
    } catch (const std::bad_variant_access &) {
        std::cout << "not a circle\n";
    }

    std::variant<int, Thrower> fragile = 7;
    Thrower source;
    try {
        fragile.emplace<Thrower>(source);
    } catch (const std::runtime_error &error) {
        std::cout << "valueless " << fragile.valueless_by_exception() << ' ' << error.what() << '\n';
    }
    fragile = 8;
    std::cout << std::get<0>(fragile) << ' ' << (std::get_if<1>(&fragile) == nullptr) << '\n';
    std::variant<int, std::string> a = 3, b = std::string("3");
    std::cout << (a < b) << (a == b) << std::visit([](auto x, auto y) { return sizeof x < sizeof y; }, a, b) << '\n';
}
