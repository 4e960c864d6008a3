// Containers stay below mmap_limit_mb in small pieces.
// FLAGS: ASAN_OPTIONS=mmap_limit_mb=60
// NATIVE: skip natively the process is killed by a failed check of the runtime, without a report
// STDOUT: done
#include <cstdio>
#include <vector>

int main() {
    std::vector<char *> pieces;
    for (int i = 0; i < 400; i++) {
        pieces.push_back(new char[40000]);
    }
    for (char *piece : pieces) delete[] piece;
    std::puts("done");
}
