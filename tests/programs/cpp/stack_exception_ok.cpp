// Exceptions pass frames with arrays: thrown here, thrown by the library, caught and thrown again.
// STDOUT: 300 64
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

__attribute__((noinline)) static void fill(char *block, int size) { std::memset(block, 1, size); }

struct Closing {
    char block[40];
    Closing() { fill(block, 40); }
    ~Closing() {
        char late[16];
        fill(late, 16);
        block[0] = late[15];
    }
};

__attribute__((noinline)) static void sink(int depth, int kind) {
    char small[20];
    Closing closing;
    fill(small, 20);
    if (depth)
        sink(depth - 1, kind);
    if (kind == 0)
        throw std::runtime_error("own");
    if (kind == 1)
        std::string("short").at(10 + depth);
    try {
        sink(1, 0);
    } catch (const std::exception &) {
        char again[24];
        fill(again, 24);
        throw;
    }
}

__attribute__((noinline)) static int plain() {
    char large[4096];
    fill(large, 4096);
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += large[i * 60];
    return sum;
}

int main() {
    int caught = 0, sum = 0;
    for (int i = 0; i < 300; i++) {
        char mine[12];
        fill(mine, 12);
        try {
            sink(i % 5, i % 3);
        } catch (const std::exception &) {
            caught += mine[11];
            sum = plain();
        }
    }
    std::printf("%d %d\n", caught, sum);
}
