// The frame that catches has its redzones still.
#include <cstdio>
#include <stdexcept>

static int *volatile mine;

__attribute__((noinline)) static void fail(int *where) {
    int small[5] = {1, 2, 3, 4, 5};
    mine = small;
    mine = where;
    throw std::runtime_error("own");
}

int main() {
    int block[6] = {};
    mine = block;
    try {
        fail(block);
    } catch (const std::exception &) {
    }
    mine[6] = 1; // EXPECT: stack-buffer-overflow write 4
    std::printf("%d\n", block[0]);
}
