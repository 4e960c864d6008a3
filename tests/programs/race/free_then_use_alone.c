// A block is freed and then used, by a program that has one thread only.
// SANITIZE: thread
#include <stdlib.h>

__attribute__((noinline)) static void release(void *block) {
    free(block); // PREVIOUS: write 8
}

__attribute__((noinline)) static long use(volatile long *block) {
    return block[1]; // EXPECT: heap-use-after-free read 8
}

int main(void) {
    long *volatile first = malloc(100); // its end is no use
    release(first);
    long *volatile block = calloc(10, sizeof *block);
    release(block);
    return (int)use(block) & 1;
}
