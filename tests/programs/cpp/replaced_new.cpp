// Blocks of a replaced operator new are checked, whatever form has asked for them.
// NATIVE: skip forms of new that the program does not replace do not call the one it replaces
// FLAGS: ASAN_OPTIONS=halt_on_error=0
#include <cstdlib>
#include <new>

void *operator new(std::size_t size) { return std::malloc(size); } // ALLOCATED
void operator delete(void *block) noexcept { std::free(block); } // FREED

int main() {
    int *volatile four = new (std::nothrow) int[4]();
    int value = four[0];
    operator delete[](four, sizeof(int[4]));
    return value + four[1] > 100; // EXPECT: heap-use-after-free read 4
}
