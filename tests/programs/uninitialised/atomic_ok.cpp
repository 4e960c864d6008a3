// Atomic operations: old values that nobody asks for, padding, counts that native code began.
// SANITIZE: memory
// STDOUT: 7 1 2 9
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

struct pair {
  char first;
  int second;
};

int main() {
  int *block = static_cast<int *>(std::malloc(4 * sizeof *block));
  if (!block)
    return 1;
  __atomic_exchange_n(&block[0], 7, __ATOMIC_SEQ_CST);
  __atomic_fetch_or(&block[1], 1, __ATOMIC_SEQ_CST);
  std::printf("%d ", __atomic_fetch_add(&block[0], 1, __ATOMIC_SEQ_CST));
  std::atomic<pair> both;
  pair start;
  start.first = 1;
  start.second = 2;
  both.store(start);
  pair wanted = both.load(), next = wanted;
  next.second = 9;
  while (!both.compare_exchange_weak(wanted, next)) {
  }
  std::printf("%d %d ", wanted.first, wanted.second);
  std::exception_ptr kept;
  try {
    throw std::runtime_error(std::string(100, 'x'));
  } catch (...) {
    kept = std::current_exception();
  }
  std::exception_ptr other = kept;
  std::shared_ptr<std::string> text = std::make_shared<std::string>("a"), again = text;
  std::printf("%d\n", other && again.use_count() == 2 ? both.load().second : 0);
  std::free(block);
  return 0;
}
