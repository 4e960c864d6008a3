// A vector that is filled again after it has been cleared.
// EXIT: 0
#include <vector>
int main() {
  std::vector<long> numbers(8, 1);
  volatile long *last = &numbers.back();
  numbers.resize(9);
  last = &numbers.back();
  *last = 2;
}
