// Containers, strings, virtual calls, exceptions and smart pointers of C++.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct shape {
    virtual ~shape() = default;
    virtual int area() const { return 0; }
};

struct square : shape {
    explicit square(int side) : side(side) {}
    int area() const override
    {
        if (side < 0)
            throw std::runtime_error("no square");
        return side * side;
    }
    int side;
};

int main()
{
    std::vector<std::unique_ptr<shape>> shapes;
    std::map<std::string, int> areas;
    for (int i = -2; i < 20; i++)
        shapes.push_back(std::make_unique<square>(i));
    for (const auto &one : shapes) {
        try {
            areas["area " + std::to_string(one->area()) + " of a square"] += 1;
        } catch (const std::runtime_error &error) {
            areas[error.what()] += 1;
        }
    }
    std::shared_ptr<shape> shared(std::move(shapes.back()));
    auto second = shared;
    std::printf("%zu %d %d\n", areas.size(), areas["no square"], second->area());
    return 0;
}
