// NATIVE: miss libstdc++ does not mark its unused room unless it is built to
#include <vector>
int main() {
  std::vector<int> numbers{1, 2, 3};
  numbers.reserve(16);
  volatile int *first = numbers.data();
  return first[5]; // EXPECT: container-overflow read 4
}
