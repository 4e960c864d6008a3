// Aligned storage is deleted as if it were not.
#include <cstdio>
#include <new>

int main() {
    void *block = ::operator new(64, std::align_val_t(64)); // ALLOCATED
    std::printf("%d\n", block != nullptr);
    ::operator delete(block); // EXPECT: new-delete-type-mismatch
    return 0;
}
