// A virtual function is called behind the end of its object.
#include <cstdio>
#include <new>

struct Shape {
  virtual ~Shape() { std::puts("end"); }
  virtual int area() const { return 1; }
};
struct Square : Shape {
  explicit Square(int side) : side_(side) {}
  int area() const override { return side_ * side_; }
  int side_;
};

static Shape *volatile known;

int main(int argc, char **) {
  alignas(Square) static char room[sizeof(Square)];
  known = new (room) Square(argc);
  std::printf("%d\n", known->area());
  known->~Shape();
  std::printf("%d\n", known->area()); // EXPECT: use-of-uninitialized-value
  return 0;
}
