// A member that only one constructor sets decides in a virtual function.
// SANITIZE: memory
#include <cstdio>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

struct Square : Shape {
  explicit Square(int side) : side_(side) {}
  Square(int side, bool hidden) : side_(side), hidden_(hidden) {}
  __attribute__((noinline)) int area() const override {
    return hidden_ ? 0 : side_ * side_; // EXPECT: use-of-uninitialized-value
  }
  int side_;
  bool hidden_;
};

int main(int argc, char **) {
  std::vector<Shape *> shapes;
  shapes.push_back(new Square(argc, false));
  shapes.push_back(new Square(argc + 1));
  int sum = 0;
  for (Shape *shape : shapes)
    sum += shape->area();
  std::printf("%d\n", sum);
  for (Shape *shape : shapes)
    delete shape;
  return 0;
}
