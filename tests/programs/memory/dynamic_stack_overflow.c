// One element more than a variable-length array has.
#include <stdio.h>

__attribute__((noinline)) static void fill(char *block, int count) {
    for (volatile int i = 0; i < count; i++)
        block[i] = 'v'; // EXPECT: dynamic-stack-buffer-overflow write 1
}

int main(int argc, char **argv) {
    (void)argv;
    char block[argc + 20];
    fill(block, argc + 21);
    printf("%c\n", block[argc]);
    return 0;
}
