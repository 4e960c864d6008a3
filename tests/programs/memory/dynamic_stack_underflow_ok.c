// Blocks from alloca of every size, filled to their ends.
// STDOUT: 2080
#include <alloca.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static size_t filled(int size) {
    char *block = alloca((size_t)size);
    memset(block, 1, (size_t)size);
    size_t sum = 0;
    for (int i = 0; i < size; i++)
        sum += (size_t)block[i];
    return sum;
}

int main(void) {
    size_t sum = 0;
    for (int size = 1; size <= 64; size++)
        sum += filled(size);
    printf("%zu\n", sum);
    return 0;
}
