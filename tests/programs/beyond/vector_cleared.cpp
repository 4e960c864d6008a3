// An element of a vector that has been cleared.
// NATIVE: miss libstdc++ does not mark its unused room unless it is built to
#include <vector>
int main() {
  std::vector<long> numbers(8, 1);
  volatile long *last = &numbers.back();
  numbers.pop_back();
  *last = 2; // EXPECT: container-overflow write 8
}
