// The twin of new_delete_alignment.
// STDOUT: 1
#include <cstdio>
#include <new>

int main() {
    void *block = ::operator new(64, std::align_val_t(64));
    std::printf("%d\n", block != nullptr);
    ::operator delete(block, std::align_val_t(64));
    return 0;
}
