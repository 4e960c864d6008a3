// The twin of the mismatch programs: every pair in its right form, aligned and nothrow too.
// STDOUT: 3 3 3 3 0
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <new>

struct alignas(64) Line {
    int value;
};

int main() {
    int *volatile from_malloc = static_cast<int *>(std::malloc(sizeof(int)));
    int *volatile from_new = new int(3);
    int *volatile from_array = new int[10];
    int *volatile from_nothrow = new (std::nothrow) int(3);
    Line *volatile aligned = new Line{3};
    if (!from_malloc || !from_nothrow) return 1;
    *from_malloc = from_array[9] = 3;
    std::cout << *from_malloc << ' ' << *from_new << ' ' << from_array[9] << ' ' << *from_nothrow
              << ' ' << reinterpret_cast<std::uintptr_t>(aligned) % 64 << '\n';
    std::free(from_malloc);
    delete from_new;
    delete[] from_array;
    delete from_nothrow;
    delete aligned;
    return 0;
}
