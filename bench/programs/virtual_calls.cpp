// Virtual calls: eight classes in random order, each object changed and asked by two methods.
// SIZE: default 4800, smoke 20
// THREADS: 1, 4
#include "work.h"

#include <memory>
#include <vector>

namespace {

class Shape {
  public:
    virtual ~Shape() = default;
    virtual long area() const = 0;
    virtual void grow(long by) { size_ = (size_ + by) % 1000; }

  protected:
    explicit Shape(long size) : size_(size) {}
    long size_;
};

template <int N> class Sided : public Shape {
  public:
    explicit Sided(long size) : Shape(size), height_(size / 2) {}
    long area() const override { return size_ * N + height_; }
    void grow(long by) override {
        Shape::grow(by + N);
        height_ = size_ / (N + 1);
    }

  private:
    long height_;
};

std::unique_ptr<Shape> make_shape(uint64_t random) {
    long size = static_cast<long>(random >> 8 & 1023);
    switch (random & 7) {
    case 0: return std::make_unique<Sided<1>>(size);
    case 1: return std::make_unique<Sided<2>>(size);
    case 2: return std::make_unique<Sided<3>>(size);
    case 3: return std::make_unique<Sided<4>>(size);
    case 4: return std::make_unique<Sided<5>>(size);
    case 5: return std::make_unique<Sided<6>>(size);
    case 6: return std::make_unique<Sided<7>>(size);
    default: return std::make_unique<Sided<8>>(size);
    }
}

} // namespace

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 2000; i++) shapes.push_back(make_shape(next_random(&random)));
    unsigned long sum = 0;
    for (long round = 0; round < size; round++) {
        for (const auto &shape : shapes) {
            shape->grow(round & 15);
            sum += static_cast<unsigned long>(shape->area());
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    return run_all("virtual_calls", argc > 1 ? atol(argv[1]) : 1600);
}
