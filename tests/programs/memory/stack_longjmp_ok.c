// Frames with arrays are left by longjmp; what is built in their place has no redzones of theirs.
// STDOUT: 3200 100
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf place;

__attribute__((noinline)) static int fill(char *block, int size) {
    memset(block, 1, (size_t)size);
    return block[size - 1];
}

__attribute__((noinline)) static void leave(int depth) {
    char small[20];
    fill(small, 20);
    if (depth)
        leave(depth - 1);
    longjmp(place, 1);
}

__attribute__((noinline)) static int plain(int size) {
    char large[4096];
    fill(large, size);
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += large[i];
    return sum;
}

int main(void) {
    volatile int sum = 0, jumps = 0;
    for (volatile int i = 0; i < 100; i++) {
        char mine[24];
        if (setjmp(place) == 0) {
            fill(mine, 24);
            leave(i % 7);
        } else {
            jumps++;
            fill(mine, 24);
            sum += plain(4096) * mine[23];
        }
    }
    printf("%d %d\n", sum, jumps);
    return 0;
}
