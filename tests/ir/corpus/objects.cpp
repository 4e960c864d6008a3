// C++: exceptions, virtual inheritance, templates, lambdas, static locals, thread_local, comdats, coroutines' relatives.
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
struct Base {
  virtual ~Base() = default;
  virtual int area() const = 0;
  int id = 1;
};
struct Left : virtual Base { int l = 2; };
struct Right : virtual Base { int r = 3; };
struct Both final : Left, Right {
  int area() const override { return l * r + id; }
};
}  // namespace shapes

struct Guard {
  int *flag;
  explicit Guard(int *f) : flag(f) { ++*flag; }
  ~Guard() { --*flag; }
};

template <typename T, int N> T accumulate(const T (&values)[N]) {
  T total{};
  for (const T &v : values) total += v;
  return total;
}

thread_local std::string per_thread = "local";
static int live;
enum class Colour : unsigned char { Red = 1, Green, Blue = 200 };

int thrower(int n) {
  Guard guard(&live);
  if (n > 3) throw std::runtime_error("too much");
  if (n < 0) throw n;
  return n;
}

int catcher(int n) {
  try {
    Guard guard(&live);
    return thrower(n) + (int)per_thread.size();
  } catch (const std::exception &e) {
    return (int)std::string(e.what()).size();
  } catch (int v) {
    return v;
  } catch (...) {
    throw;
  }
}

int no_escape(int n) noexcept { return thrower(n); }

int use() {
  static const std::vector<int> cached{1, 2, 3};
  int values[] = {1, 2, 3, 4};
  shapes::Both both;
  const shapes::Base &base = both;
  auto add = [&](int x) { return x + values[0] + (int)cached.size(); };
  int (shapes::Base::*member)() const = &shapes::Base::area;
  return accumulate(values) + add(3) + (base.*member)() + dynamic_cast<const shapes::Both &>(base).l +
         (int)Colour::Blue;
}
inline int shared_inline = use();
int (*pointer)(int) = catcher;
