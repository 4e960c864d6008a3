// Variable-length arrays in a loop, each as long as it must be, and one that lives on.
// STDOUT: 45 12
#include <alloca.h>
#include <stdio.h>

__attribute__((noinline)) static int fill(int *block, int count) {
    for (volatile int i = 0; i < count; i++)
        block[i] = i;
    return block[count - 1];
}

__attribute__((noinline)) static int deep(char *block, int count) {
    char more[32];
    for (volatile int i = 0; i < count; i++)
        more[i] = block[i] = 3;
    return more[count - 1] + block[0];
}

int main(int argc, char **argv) {
    (void)argv;
    int sum = 0, more = 0;
    char *kept = alloca((size_t)argc + 20);
    for (int i = 1; i < 10; i++) {
        int block[i + argc];
        sum += fill(block, i + argc);
    }
    for (int i = 0; i < 2; i++)
        more += deep(kept, argc + 20);
    printf("%d %d\n", sum, more);
    return 0;
}
