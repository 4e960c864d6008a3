// Aligned to 16, freed as if it were not: the same address, but another function.
#include <cstdio>
#include <new>

int main() {
    void *block = ::operator new(64, std::align_val_t(16)); // ALLOCATED
    std::puts("made");
    ::operator delete(block); // EXPECT: new-delete-type-mismatch
    return 0;
}
