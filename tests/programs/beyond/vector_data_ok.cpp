// Iteration both ways over the standard containers.
// STDOUT: 0
#include <iostream>
#include <list>
#include <map>
#include <string>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual int area(int scale) const { return scale; }
};
struct Square : Shape {
    int side[40] = {};
    int area(int scale) const override { return side[scale % 40] + scale; }
};

int main() {
    std::vector<int> numbers;
    std::list<int> queue;
    std::map<std::string, int> names;
    int sum = 0;
    for (int i = 0; i < 1000; i++) {
        numbers.push_back(i);
        queue.push_front(i);
        names[std::string(static_cast<size_t>(i % 50), 'x')] += i;
    }
    for (auto at = numbers.rbegin(); at != numbers.rend(); ++at)
        sum += *at;
    for (auto at = queue.end(); at != queue.begin();)
        sum -= *--at;
    for (const auto &[name, number] : names)
        sum += static_cast<int>(name.size()) * 0 + number * 0;
    numbers.insert(numbers.begin() + 500, 100, 1);
    numbers.erase(numbers.begin() + 500, numbers.begin() + 600);
    Shape *shape = new Square;
    sum += shape->area(0);
    delete shape;
    std::cout << sum << "\n";
    return 0;
}
