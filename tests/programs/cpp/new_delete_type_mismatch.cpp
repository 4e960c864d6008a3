// Sized delete is told another size than new was asked for.
#include <cstddef>
#include <iostream>
#include <new>

void operator delete(void *, std::size_t) noexcept;

static void *volatile block;
static volatile std::size_t wrong_size = 24;

int main() {
    block = ::operator new(16); // ALLOCATED
    ::operator delete(block, wrong_size); // EXPECT: new-delete-type-mismatch
    std::cout << "not reached\n";
    return 0;
}
