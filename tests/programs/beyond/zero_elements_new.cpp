// NATIVE: miss an array of no elements has one byte there
#include <cstddef>
int main(int argc, char **) {
  std::size_t n = argc - 1;
  volatile char *nothing = new char[n]; // ALLOCATED
  nothing[0] = 1; // EXPECT: heap-buffer-overflow write 1
  delete[] nothing;
}
