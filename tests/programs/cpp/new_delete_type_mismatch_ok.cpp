// The twin of new_delete_type_mismatch: the size fits.
// STDOUT: fine
#include <cstddef>
#include <iostream>
#include <new>

void operator delete(void *, std::size_t) noexcept;

static void *volatile block;
static volatile std::size_t right_size = 16;

int main() {
    block = ::operator new(16);
    ::operator delete(block, right_size);
    std::cout << "fine\n";
    return 0;
}
