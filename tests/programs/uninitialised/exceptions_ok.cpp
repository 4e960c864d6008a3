// Values come through exceptions, lambdas, optionals and shared pointers.
// SANITIZE: memory
// STDOUT: caught 7: seven 9 0
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

struct Failure : std::runtime_error {
  int code;
  Failure(int number, const std::string &what) : std::runtime_error(what), code(number) {}
};

__attribute__((noinline)) static std::optional<int> find(int n) {
  if (n == 7)
    throw Failure(n, "seven");
  return n > 7 ? std::optional<int>(n) : std::nullopt;
}

int main() {
  std::shared_ptr<int> shared;
  std::function<int(int)> add = [&shared](int n) { return shared ? *shared + n : n; };
  try {
    shared = std::make_shared<int>(6);
    find(add(1));
  } catch (const Failure &failure) {
    std::printf("caught %d: %s", failure.code, failure.what());
  }
  std::printf(" %d %d\n", find(9).value_or(0), find(1).value_or(0));
  return 0;
}
