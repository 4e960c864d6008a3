// A constructor forgets a member.
// SANITIZE: memory
#include <cstdio>
#include <memory>

class Counter {
public:
  explicit Counter(int start) : value_(start) {}
  void check() const;
  int value() const { return value_; }

private:
  int value_;
  int limit_;
};

__attribute__((noinline)) void Counter::check() const {
  if (limit_ > 3) // EXPECT: use-of-uninitialized-value
    std::puts("much");
}

int main(int argc, char **) {
  auto counter = std::make_unique<Counter>(argc);
  counter->check();
  return counter->value() - argc;
}
